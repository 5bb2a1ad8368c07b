import { createContext, useContext } from 'react';
import type { DraftProblem } from './editor-state';
import type { Edit } from './edit-value';

/** What the fields of the form do to the draft. They change it through here alone, never through the form library. */
export interface Editing {
  readonly edit: (edit: Edit) => void;
  /** Says that a field's text means nothing, or with `null` that it means something again. */
  readonly reportUnread: (id: string, problem: DraftProblem | null) => void;
  readonly choose: (pointer: string, variant: number) => void;
  /** Keeps the field at a place one for JSON; `null` lets it go. */
  readonly pin: (pointer: string | null) => void;
  /** Puts the focus into a field once it is drawn: a control that was used may be gone then. */
  readonly focusSoon: (spot: string) => void;
  /** True once for the spot that is to be focused. */
  readonly takeFocus: (spot: string) => boolean;
}

export const EditingContext = createContext<Editing | null>(null);

export function useEditing(): Editing {
  const editing = useContext(EditingContext);
  if (!editing) throw new Error('A field of the argument form stands outside the editor.');
  return editing;
}
