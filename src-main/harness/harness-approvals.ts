import type { CommandDesk } from './command-desk';
import type { Harness } from './harness-port';
import type { Journal } from './journal';
import type { Result } from './protocol';
import { readRequest } from './read-request';
import type { Session } from './session';

interface Parts {
  readonly journal: Pick<Journal, 'definition'>;
  readonly commands: CommandDesk;
  readonly session: (sessionId: string) => Result<Session>;
}

export function approvalsFor({ journal, commands, session: find }: Parts): Harness['approvals'] {
  return {
    async reading(sessionId, approvalId) {
      const session = find(sessionId);
      if (!session.ok) return session;
      const request = session.value.request(approvalId);
      if (!request.ok) return request;
      const definition = journal.definition(request.value.pin);
      return readRequest(commands, {
        request: request.value,
        workspace: session.value.workspace,
        definition,
      });
    },
  };
}
