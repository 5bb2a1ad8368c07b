import { Check, X } from 'lucide-react';
import type { ReactNode } from 'react';
import type { PastCall, ScopePreview as Preview } from '../../../src-preload/contract';
import { formatTime } from '../../messages/format';
import { useText } from '../../messages/use-text';
import { useActions } from '../../state/use-app';
import { FailureNote } from '../../ui/failure-note';
import { middleCut } from '../../ui/long-text';
import { SentenceView } from '../../ui/sentence-view';
import { LoadingNote } from '../../ui/states';
import { toolSentence } from '../../ui/tool-sentence';
import { VisibleText } from '../../ui/visible-text';
import { previewWords } from './preview-words';
import { usePreview, type PreviewWanted } from './use-preview';

function Example(props: {
  readonly call: PastCall;
  readonly tool: string;
  readonly sessionId: string;
}): ReactNode {
  const { t, language } = useText();
  const actions = useActions();
  const { call } = props;
  const Icon = call.covered ? Check : X;
  const open = (): void => {
    if (call.session_id !== props.sessionId) actions.goTo({ type: 'session', session_id: call.session_id });
    actions.point({ type: 'row', turn_id: call.turn_id, call_id: call.call_id });
  };
  const text = call.arguments === null ? null : JSON.stringify(call.arguments);
  return (
    <li>
      <button type="button" className="preview-call" title={t('preview.open')} onClick={open}>
        <span className={call.covered ? 'preview-mark yes' : 'preview-mark no'}>
          <Icon size={13} aria-hidden />
          {t(call.covered ? 'preview.yes' : 'preview.no')}
        </span>
        <span className="preview-words">
          <span>
            <SentenceView sentence={toolSentence(props.tool, call.arguments, 'done')} />
          </span>
          <code className="muted">
            {text === null ? t('preview.withheld') : <VisibleText text={middleCut(text)} />}
          </code>
        </span>
        <span className="muted small preview-where">
          <VisibleText text={middleCut(call.session_title)} />, {formatTime(call.at, language)}
        </span>
      </button>
    </li>
  );
}

function Found(props: {
  readonly preview: Preview;
  readonly tool: string;
  readonly sessionId: string;
}): ReactNode {
  const { t } = useText();
  const { preview } = props;
  return (
    <>
      <p className="preview-count">{previewWords(preview, t)}</p>
      {preview.examples.length === 0 ? null : (
        <ul className="preview-calls">
          {preview.examples.map((call) => (
            <Example
              key={`${call.session_id} ${call.turn_id} ${call.call_id}`}
              call={call}
              tool={props.tool}
              sessionId={props.sessionId}
            />
          ))}
        </ul>
      )}
    </>
  );
}

/** What the permission as it is chosen now would have covered among the calls on record. */
export function ScopePreview(props: { readonly wanted: PreviewWanted; readonly tool: string }): ReactNode {
  const { t } = useText();
  const { state, again } = usePreview(props.wanted);
  return (
    <section className="scope-preview" aria-label={t('preview.title')} aria-live="polite">
      {state.status === 'loading' ? <LoadingNote label={t('preview.loading')} /> : null}
      {state.status === 'failed' ? (
        <FailureNote failure={state.error} quiet>
          <button type="button" className="button small" onClick={again}>
            {t('common.try_again')}
          </button>
        </FailureNote>
      ) : null}
      {state.status === 'ready' ? (
        <Found preview={state.value} tool={props.tool} sessionId={props.wanted.session_id} />
      ) : null}
    </section>
  );
}
