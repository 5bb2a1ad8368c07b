import { ChevronRight, TriangleAlert } from 'lucide-react';
import { useEffect, useMemo, useRef, useState, type ReactNode, type RefObject } from 'react';
import type { ApprovalRequested, Failure, GuardrailFact, JsonObject } from '../../../src-preload/contract';
import { RichText, useText } from '../../messages/use-text';
import type { RequestDraft } from '../../state/ui-store';
import { GuardrailList } from '../../ui/guardrail-list';
import { JsonTree } from '../../ui/json-tree';
import { countHidden } from '../../ui/mark-hidden';
import { LoadingNote } from '../../ui/states';
import { VisibleText } from '../../ui/visible-text';
import { argumentForm } from './argument-form';
import { CommandView } from './command-view';
import { EditedArguments } from './edited-arguments';
import { FileChanges } from './file-changes';
import { PlainArguments, WithheldArguments } from './plain-arguments';
import { sentArguments } from './sent-arguments';
import type { Reading } from './use-reading';

/** A long text whose effect stands above it, in the form in which it is sent. */
function FoldedText({ name, text }: { readonly name: string; readonly text: string }): ReactNode {
  const [open, setOpen] = useState(false);
  return (
    <div className="request-folded">
      <button type="button" className="link-button small" aria-expanded={open} onClick={() => setOpen(!open)}>
        <ChevronRight size={12} aria-hidden className={open ? 'turned' : ''} />
        <RichText
          message={open ? 'sent.hide' : 'sent.show'}
          slots={{ name: <VisibleText key="name" text={name} /> }}
        />
      </button>
      {open ? (
        <pre className="command-raw">
          <VisibleText text={text} />
        </pre>
      ) : null}
    </div>
  );
}

function Beside(props: { readonly given: JsonObject; readonly reading: Reading }): ReactNode {
  const { t } = useText();
  const { state } = props.reading;
  const shape = state.status === 'ready' ? state.value.shape : null;
  const sent = useMemo(() => (shape ? sentArguments(props.given, shape) : null), [props.given, shape]);
  if (!sent) return null;
  return (
    <>
      {Object.keys(sent.shown).length === 0 ? null : (
        <div className="request-rest">
          <h4>{t('sent.rest')}</h4>
          <JsonTree value={sent.shown} whole />
        </div>
      )}
      {sent.folded.map(([name, text]) => (
        <FoldedText key={name} name={name} text={text} />
      ))}
    </>
  );
}

/** The arguments in the form that suits them; until main has said what they come to, as they are. */
function ShapedArguments(props: {
  readonly request: ApprovalRequested;
  readonly given: JsonObject;
  readonly reading: Reading;
}): ReactNode {
  const { t } = useText();
  const { request, given, reading } = props;
  const form = useMemo(
    () => argumentForm(request.qualified_name ?? request.name, request.presentation, given),
    [given, request],
  );
  const { state } = reading;
  const shape = state.status === 'ready' ? state.value.shape : null;
  if (shape?.type === 'command' || shape?.type === 'files') {
    return (
      <>
        {shape.type === 'command' ? (
          <CommandView reading={shape.reading} folder={shape.folder} />
        ) : (
          <FileChanges changes={shape.changes} onAgain={reading.again} />
        )}
        <Beside given={given} reading={reading} />
      </>
    );
  }
  const expects = ['command', 'write', 'patch'].includes(request.presentation);
  return (
    <>
      <PlainArguments form={form} />
      {expects && state.status === 'loading' ? <LoadingNote label={t('request.reading')} /> : null}
      {expects && state.status === 'failed' ? (
        <p className="request-unread">
          {t('request.reading_failed')} <VisibleText text={state.error.message} />{' '}
          <button type="button" className="link-button" onClick={reading.again}>
            {t('common.try_again')}
          </button>
        </p>
      ) : null}
    </>
  );
}

/**
 * Tells once both marks, the end of the arguments and what is said below them, have been on the screen: neither cut
 * off by an area that scrolls nor outside the window.
 */
function useSeenToEnd(key: string, warned: boolean) {
  const end = useRef<HTMLSpanElement>(null);
  const warning = useRef<HTMLParagraphElement>(null);
  const [seenKey, setSeenKey] = useState<string | null>(null);
  useEffect(() => {
    const left = new Set<Element>([end.current, warning.current].filter((mark) => mark !== null));
    const observer = new IntersectionObserver((entries) => {
      for (const entry of entries) if (entry.isIntersecting) left.delete(entry.target);
      if (left.size === 0) setSeenKey(key);
    });
    for (const mark of left) observer.observe(mark);
    return () => observer.disconnect();
  }, [key, warned]);
  return { end, warning, seen: seenKey === key };
}

const noFacts: readonly GuardrailFact[] = [];
/** The guardrail whose findings the warning about hidden characters says as well. */
const hiddenGuardrail = 'hidden_characters';

function HiddenWarning(props: {
  readonly count: number;
  readonly found: boolean;
  readonly mark: RefObject<HTMLParagraphElement | null>;
}): ReactNode {
  const { t } = useText();
  if (props.count === 0) return null;
  return (
    <p className="request-warning" ref={props.mark}>
      <TriangleAlert size={15} aria-hidden />
      <span>
        {t('approval.hidden', { count: props.count })}
        {props.found ? ` ${t('approval.hidden_left', { name: hiddenGuardrail })}` : null}
      </span>
    </p>
  );
}

/**
 * The arguments of a request, whole. `onSeen` hears whether their end was on the screen: nobody can allow what
 * stands where they have not looked.
 */
export function RequestArguments(props: {
  readonly approvalId: string;
  readonly request: ApprovalRequested;
  readonly reading: Reading;
  readonly draft: RequestDraft;
  readonly failure: Failure | null;
  readonly onDraft: (change: Partial<RequestDraft>) => void;
  readonly onSeen: (seen: boolean) => void;
}): ReactNode {
  const { t } = useText();
  const { request, reading, draft, onSeen } = props;
  const given = request.arguments;
  const hidden = useMemo(() => countHidden(given), [given]);
  const stated = request.guardrails ?? noFacts;
  // What was found and left is said once, in the warning.
  const facts =
    hidden > 0
      ? stated.filter(({ guardrail, action }) => guardrail !== hiddenGuardrail || action !== 'passed')
      : stated;
  const { end, warning, seen } = useSeenToEnd(`${props.approvalId} ${reading.version}`, hidden > 0);
  useEffect(() => onSeen(seen), [seen, onSeen]);
  const schema = reading.state.status === 'ready' ? reading.state.value.schema : null;
  return (
    <>
      <div className="request-arguments" role="group" aria-label={t('arguments.title')}>
        {given === null ? (
          <WithheldArguments request={request} />
        ) : draft.editing ? (
          <EditedArguments
            given={given}
            schema={schema}
            draft={draft}
            failure={props.failure}
            onChange={props.onDraft}
          />
        ) : (
          <ShapedArguments request={request} given={given} reading={reading} />
        )}
        <span ref={end} className="request-end" />
      </div>
      {facts.length > 0 ? (
        <div className="request-guardrails">
          <GuardrailList facts={facts} />
        </div>
      ) : null}
      <HiddenWarning count={hidden} found={facts.length < stated.length} mark={warning} />
    </>
  );
}
