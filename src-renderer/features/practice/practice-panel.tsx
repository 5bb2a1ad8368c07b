import { Gamepad2 } from 'lucide-react';
import { useEffect, useId, useState, type ReactNode } from 'react';
import {
  openTurn,
  orderedRows,
  rowState,
  type Failure,
  type Result,
  type SessionView,
  type ToolDefinition,
  type TurnView,
} from '../../../src-preload/contract';
import { useText } from '../../messages/use-text';
import type { PracticeAct } from '../../state/session-actions';
import { useApp } from '../../state/use-app';
import { FailureNote } from '../../ui/failure-note';
import { Picker } from '../../ui/picker';
import { LoadingNote } from '../../ui/states';
import { CallForm } from './call-form';
import './practice.css';

/** The turn in which the model's answer is awaited from the person, or null. */
export function practiceTurn(view: SessionView): TurnView | null {
  const turn = openTurn(view);
  const attempt = turn?.attempts.at(-1);
  if (!turn || !attempt?.started || attempt.message || attempt.failed) return null;
  const busy = orderedRows(turn).some((row) =>
    ['running', 'waiting', 'proposed'].includes(rowState(row, turn)),
  );
  return busy ? null : turn;
}

function useTools(sessionId: string): Result<readonly ToolDefinition[]> | null {
  const { gateway } = useApp();
  const [tools, setTools] = useState<Result<readonly ToolDefinition[]> | null>(null);
  useEffect(() => {
    let gone = false;
    void gateway.query('session.tools', { session_id: sessionId }).then((result) => {
      if (!gone) setTools(result);
    });
    return () => {
      gone = true;
    };
  }, [gateway, sessionId]);
  return tools;
}

function Reply(props: { readonly busy: boolean; readonly onReply: (text: string) => void }): ReactNode {
  const { t } = useText();
  const [text, setText] = useState('');
  const id = useId();
  return (
    <div className="practice-reply">
      <div className="field">
        <label htmlFor={id}>{t('practice.answer')}</label>
        <textarea
          id={id}
          className="input"
          rows={3}
          value={text}
          onChange={(event) => setText(event.target.value)}
        />
      </div>
      <button
        type="button"
        className="button primary"
        disabled={props.busy || text.trim() === ''}
        onClick={() => props.onReply(text)}
      >
        {t('practice.reply')}
      </button>
    </div>
  );
}

function Tools(props: {
  readonly tools: readonly ToolDefinition[];
  readonly busy: boolean;
  readonly onAct: (act: PracticeAct) => void;
}): ReactNode {
  const { t } = useText();
  const [chosen, setChosen] = useState<string | null>(null);
  const tool = props.tools.find((candidate) => candidate.model_alias === chosen) ?? props.tools[0];
  if (!tool) return <p className="muted">{t('practice.no_tools')}</p>;
  return (
    <>
      <Picker
        label={t('practice.tool')}
        value={tool.model_alias}
        shown={tool.qualified_name}
        side="above"
        options={props.tools.map((candidate) => ({
          id: candidate.model_alias,
          label: candidate.qualified_name,
          detail: t(`classification.${candidate.classification}`),
        }))}
        onChoose={setChosen}
      />
      <CallForm
        key={tool.model_alias}
        tool={tool}
        busy={props.busy}
        onCall={(given) => props.onAct({ type: 'call', name: tool.model_alias, arguments: given })}
      />
    </>
  );
}

/** The person plays the model: calls a tool of the coworker, or answers and so ends the turn. */
export function PracticePanel(props: { readonly sessionId: string; readonly turn: TurnView }): ReactNode {
  const { t } = useText();
  const { actions } = useApp();
  const tools = useTools(props.sessionId);
  const [tab, setTab] = useState<'call' | 'reply'>('call');
  const [error, setError] = useState<Failure | null>(null);
  const [busy, setBusy] = useState(false);
  const act = async (what: PracticeAct): Promise<void> => {
    setBusy(true);
    setError(await actions.act(props.sessionId, props.turn.turn_id, what));
    setBusy(false);
  };
  return (
    <section className="practice-panel" aria-label={t('practice.title')}>
      <header>
        <Gamepad2 size={16} aria-hidden />
        <h2>{t('practice.title')}</h2>
        <span className="not-ai-tag">{t('practice.not_ai')}</span>
      </header>
      <div className="practice-body">
        <div className="segmented" role="group" aria-label={t('practice.what')}>
          {(['call', 'reply'] as const).map((id) => (
            <label key={id}>
              <input type="radio" name="practice-tab" checked={tab === id} onChange={() => setTab(id)} />
              {t(`practice.tab.${id}`)}
            </label>
          ))}
        </div>
        {tab === 'reply' ? <Reply busy={busy} onReply={(text) => void act({ type: 'reply', text })} /> : null}
        {tab === 'call' && tools === null ? <LoadingNote /> : null}
        {tab === 'call' && tools && !tools.ok ? <FailureNote failure={tools.error} /> : null}
        {tab === 'call' && tools?.ok ? (
          <Tools tools={tools.value} busy={busy} onAct={(what) => void act(what)} />
        ) : null}
        {error ? <FailureNote failure={error} announce /> : null}
      </div>
    </section>
  );
}
