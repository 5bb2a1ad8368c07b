import { useCallback } from 'react';
import { useActions, useUi } from '../../state/use-app';
import { emptyRequestDraft, type RequestDraft } from '../../state/ui-store';

/** What the person has set on a request; it outlives a look at another request or session. */
export function useRequestDraft(
  approvalId: string,
): readonly [RequestDraft, (change: Partial<RequestDraft>) => void] {
  const actions = useActions();
  const draft = useUi((state) => state.requests[approvalId] ?? emptyRequestDraft);
  const change = useCallback(
    (part: Partial<RequestDraft>) => actions.updateRequest(approvalId, part),
    [actions, approvalId],
  );
  return [draft, change];
}
