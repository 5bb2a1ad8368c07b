import { Gamepad2 } from 'lucide-react';
import { useEffect, useId, useRef, useState, type ReactNode } from 'react';
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
import { useFocusLoss } from '../../ui/use-focus-loss';
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
  const ready = !props.busy && text.trim() !== '';
  return (
    <>
      <div className="practice-body">
        <div className="field practice-reply">
          <label htmlFor={id}>{t('practice.answer')}</label>
          <textarea
            id={id}
            className="input"
            rows={3}
            value={text}
            onChange={(event) => setText(event.target.value)}
          />
        </div>
      </div>
      <div className="practice-foot">
        <button
          type="button"
          className="button primary"
          aria-disabled={!ready}
          onClick={() => {
            if (ready) props.onReply(text);
          }}
        >
          {t('practice.reply')}
        </button>
      </div>
    </>
  );
}

function ToolChoice(props: {
  readonly tools: readonly ToolDefinition[];
  readonly tool: ToolDefinition;
  readonly onChoose: (alias: string) => void;
}): ReactNode {
  const { t } = useText();
  return (
    <Picker
      label={t('practice.tool')}
      value={props.tool.model_alias}
      shown={props.tool.qualified_name}
      side="above"
      options={props.tools.map((candidate) => ({
        id: candidate.model_alias,
        label: candidate.qualified_name,
        detail: t(`classification.${candidate.classification}`),
      }))}
      onChoose={props.onChoose}
    />
  );
}

type Tab = 'call' | 'reply';

function TabSwitch(props: { readonly tab: Tab; readonly onChoose: (tab: Tab) => void }): ReactNode {
  const { t } = useText();
  return (
    <div className="segmented" role="group" aria-label={t('practice.what')}>
      {(['call', 'reply'] as const).map((id) => (
        <label key={id}>
          <input
            type="radio"
            name="practice-tab"
            checked={props.tab === id}
            onChange={() => props.onChoose(id)}
          />
          {t(`practice.tab.${id}`)}
        </label>
      ))}
    </div>
  );
}

/** What stands in place of the form of a tool while there is none. */
function NoTool({ tools }: { readonly tools: Result<readonly ToolDefinition[]> | null }): ReactNode {
  const { t } = useText();
  return (
    <div className="practice-body">
      {tools === null ? <LoadingNote /> : null}
      {tools && !tools.ok ? <FailureNote failure={tools.error} /> : null}
      {tools?.ok ? <p className="muted">{t('practice.no_tools')}</p> : null}
    </div>
  );
}

/** The person plays the model: calls a tool of the coworker, or answers and so ends the turn. */
export function PracticePanel(props: { readonly sessionId: string; readonly turn: TurnView }): ReactNode {
  const { t } = useText();
  const { actions } = useApp();
  const tools = useTools(props.sessionId);
  const [tab, setTab] = useState<Tab>('call');
  const [chosen, setChosen] = useState<string | null>(null);
  const [error, setError] = useState<Failure | null>(null);
  const [busy, setBusy] = useState(false);
  const panel = useRef<HTMLElement>(null);
  // It goes with each act, and what follows takes no focus by itself.
  useFocusLoss(panel, () => actions.point({ type: 'composer' }));
  const act = async (what: PracticeAct): Promise<void> => {
    setBusy(true);
    setError(await actions.act(props.sessionId, props.turn.turn_id, what));
    setBusy(false);
  };
  const list = tools?.ok ? tools.value : [];
  const tool = list.find((candidate) => candidate.model_alias === chosen) ?? list[0] ?? null;
  return (
    <section className="practice-panel" ref={panel} aria-label={t('practice.title')}>
      <header>
        <Gamepad2 size={16} aria-hidden />
        <h2>{t('practice.title')}</h2>
        <span className="not-ai-tag">{t('practice.not_ai')}</span>
      </header>
      <div className="practice-choice">
        <TabSwitch tab={tab} onChoose={setTab} />
        {tab === 'call' && tool ? <ToolChoice tools={list} tool={tool} onChoose={setChosen} /> : null}
      </div>
      {error ? (
        <div className="practice-error">
          <FailureNote failure={error} announce />
        </div>
      ) : null}
      {tab === 'reply' ? <Reply busy={busy} onReply={(text) => void act({ type: 'reply', text })} /> : null}
      {tab === 'call' && !tool ? <NoTool tools={tools} /> : null}
      {tab === 'call' && tool ? (
        <CallForm
          key={tool.model_alias}
          tool={tool}
          busy={busy}
          onCall={(given) => void act({ type: 'call', name: tool.model_alias, arguments: given })}
        />
      ) : null}
    </section>
  );
}
