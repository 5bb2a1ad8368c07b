import { DatabaseZap, TriangleAlert } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import type { Failure, Problem } from '../../../src-preload/contract';
import { useText } from '../../messages/use-text';
import { listOf, valueOr, type Sessions } from '../../state/host-store';
import { useActions, useHost } from '../../state/use-app';
import { Dialog } from '../../ui/dialog';
import { FailureNote } from '../../ui/failure-note';
import { VisibleText } from '../../ui/visible-text';
import { withTitles } from './with-titles';
import './journal.css';

const noSessions: Sessions = new Map();

/** Only what is missing can be given up; a damaged file or a failing disk is mended outside the app. */
export function canAcceptLoss(problems: readonly Problem[]): boolean {
  const errors = problems.filter((problem) => problem.severity === 'error');
  return errors.length > 0 && errors.every((problem) => problem.data?.['kind'] === 'loss');
}

function Messages(props: { readonly problems: readonly Problem[]; readonly sessions: Sessions }): ReactNode {
  const { problems, sessions } = props;
  return problems.map((problem, index) => (
    <p key={index} className="break">
      <VisibleText text={withTitles(problem.message, sessions)} />
    </p>
  ));
}

/** Giving up entries for ever is asked once more, with what it means. */
function AcceptLoss(props: { readonly done: () => void }): ReactNode {
  const { t } = useText();
  const actions = useActions();
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<Failure | null>(null);
  const accept = async (): Promise<void> => {
    if (busy) return;
    setBusy(true);
    const refused = await actions.acceptLoss();
    setBusy(false);
    if (refused) setError(refused);
    else props.done();
  };
  return (
    <Dialog
      title={t('journal.accept.title')}
      onClose={props.done}
      footer={
        <>
          <button type="button" className="button" onClick={props.done} autoFocus>
            {t('common.cancel')}
          </button>
          <button type="button" className="button danger" aria-disabled={busy} onClick={() => void accept()}>
            {t('journal.accept.confirm')}
          </button>
        </>
      }
    >
      <p>{t('journal.accept.detail')}</p>
      <p className="muted">{t('journal.accept.copy')}</p>
      {error ? <FailureNote failure={error} announce /> : null}
    </Dialog>
  );
}

/** What is wrong with the journal, with its remedy, and the way on where there is one. */
export function JournalProblems(props: {
  readonly problems: readonly Problem[];
  readonly sessions: Sessions;
}): ReactNode {
  const { problems, sessions } = props;
  const { t } = useText();
  const [asking, setAsking] = useState(false);
  const errors = problems.filter((problem) => problem.severity === 'error');
  const warnings = problems.filter((problem) => problem.severity === 'warning');
  if (problems.length === 0) return null;
  const stops = errors.length > 0;
  const Icon = stops ? DatabaseZap : TriangleAlert;
  return (
    <section
      className={stops ? 'journal-notice error' : 'journal-notice'}
      role={stops ? 'alert' : 'status'}
      aria-label={t('journal.label')}
    >
      <Icon size={16} aria-hidden />
      <div className="journal-words">
        <h2>{t(stops ? 'journal.stopped' : 'journal.sessions', { count: warnings.length })}</h2>
        <Messages problems={stops ? errors : warnings} sessions={sessions} />
        {stops && canAcceptLoss(problems) ? (
          <button type="button" className="button small" onClick={() => setAsking(true)}>
            {t('journal.accept')}
          </button>
        ) : null}
      </div>
      {asking ? <AcceptLoss done={() => setAsking(false)} /> : null}
    </section>
  );
}

/** Stands on every page for as long as something is wrong with the journal. */
export function JournalNotice(): ReactNode {
  const problems = useHost((state) => listOf(state.journal));
  const sessions = useHost((state) => valueOr(state.sessions, noSessions));
  return <JournalProblems problems={problems} sessions={sessions} />;
}
