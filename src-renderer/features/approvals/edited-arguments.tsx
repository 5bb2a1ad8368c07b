import { useCallback, useRef, type ReactNode } from 'react';
import type { Failure, JsonObject, JsonSchema } from '../../../src-preload/contract';
import { useText } from '../../messages/use-text';
import type { RequestDraft } from '../../state/ui-store';
import { FailureNote } from '../../ui/failure-note';
import { ArgumentChanges, ArgumentEditor, type ArgumentDraft } from './argument-editor';

/** Anything goes where the schema is not on record: main checks again. */
const anySchema: JsonSchema = {} as JsonSchema;

/** The arguments as the person writes them, and what that changes. */
export function EditedArguments(props: {
  readonly given: JsonObject;
  readonly schema: JsonSchema | null;
  readonly draft: RequestDraft;
  /** Main's refusal of what was sent. */
  readonly failure: Failure | null;
  readonly onChange: (change: Partial<RequestDraft>) => void;
}): ReactNode {
  const { t } = useText();
  const { given, draft, onChange } = props;
  const begun = useRef(draft.edited ?? given).current;
  const onDraft = useCallback(
    ({ state, value }: ArgumentDraft) =>
      onChange(value === null ? { fits: false } : { edited: value, fits: state === 'valid' }),
    [onChange],
  );
  const edited = draft.edited ?? given;
  const unchanged = JSON.stringify(edited) === JSON.stringify(given);
  return (
    <div className="request-editing">
      <ArgumentEditor
        schema={props.schema ?? anySchema}
        value={begun}
        onChange={onDraft}
        onCancel={() => onChange({ editing: false, edited: null, fits: false })}
      />
      {props.failure ? <FailureNote failure={props.failure} announce /> : null}
      <section className="request-edits" aria-label={t('request.edited')}>
        <h4>{t('request.edited')}</h4>
        {unchanged ? (
          <p className="muted small">{t('request.unchanged')}</p>
        ) : (
          <ArgumentChanges before={given} after={edited} />
        )}
      </section>
    </div>
  );
}
