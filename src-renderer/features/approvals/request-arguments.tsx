import { TriangleAlert } from 'lucide-react';
import { useEffect, useMemo, useRef, useState, type ReactNode, type RefObject } from 'react';
import type { ApprovalRequested, GuardrailFact, JsonObject } from '../../../src-preload/contract';
import { useText } from '../../messages/use-text';
import { useActions } from '../../state/use-app';
import { CopyButton } from '../../ui/buttons';
import { GuardrailList } from '../../ui/guardrail-list';
import { JsonTree } from '../../ui/json-tree';
import { countHidden } from '../../ui/mark-hidden';
import { VisibleText } from '../../ui/visible-text';
import { argumentForm, type ArgumentForm } from './argument-form';

function Rest({ value }: { readonly value: JsonObject }): ReactNode {
  return Object.keys(value).length === 0 ? null : <JsonTree value={value} whole />;
}

function FormBody({ form }: { readonly form: ArgumentForm }): ReactNode {
  const { t } = useText();
  switch (form.type) {
    case 'none':
      return <p className="muted">{t('arguments.none')}</p>;
    case 'moves':
      return (
        <>
          <ul className="request-moves">
            {form.moves.map((move, index) => (
              <li key={index}>
                <span className="break">
                  <VisibleText text={move.from} />
                </span>
                <span className="muted" aria-hidden>
                  →
                </span>
                <span className="visually-hidden">{t('approval.moves_to')}</span>
                <span className="break">
                  <VisibleText text={move.to} />
                </span>
              </li>
            ))}
          </ul>
          <Rest value={form.rest} />
        </>
      );
    case 'fields':
      return (
        <>
          {form.first.length === 0 ? null : (
            <dl className="request-fields">
              {form.first.map(([name, value]) => (
                <div key={name}>
                  <dt className="break">
                    <VisibleText text={name} />
                  </dt>
                  <dd>
                    {value === '' ? (
                      <i className="muted">{t('arguments.empty_text')}</i>
                    ) : (
                      <VisibleText text={value} />
                    )}
                  </dd>
                </div>
              ))}
            </dl>
          )}
          <Rest value={form.rest} />
        </>
      );
  }
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

/** Arguments that stand in no record: who keeps them out, and the digest by which they can be known again. */
function WithheldArguments({ request }: { readonly request: ApprovalRequested }): ReactNode {
  const { t } = useText();
  const actions = useActions();
  const name = request.guardrails?.find((fact) => fact.action === 'withheld')?.guardrail;
  const digest = request.arguments_digest;
  return (
    <div className="request-withheld">
      <p className="muted">
        {name === undefined ? t('arguments.withheld_here_unnamed') : t('arguments.withheld_here', { name })}
      </p>
      <p>
        <code className="mono break">{digest}</code>
        <CopyButton text={digest} label={t('arguments.copy_digest')} copy={actions.copy} />
      </p>
    </div>
  );
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
  readonly request: ApprovalRequested;
  readonly onSeen: (seen: boolean) => void;
}): ReactNode {
  const { t } = useText();
  const { request, onSeen } = props;
  const given = request.arguments;
  const form = useMemo(
    () => (given ? argumentForm(request.qualified_name ?? request.name, request.presentation, given) : null),
    [given, request],
  );
  const hidden = useMemo(() => countHidden(given), [given]);
  const stated = request.guardrails ?? noFacts;
  // What was found and left is said once, in the warning.
  const facts =
    hidden > 0
      ? stated.filter(({ guardrail, action }) => guardrail !== hiddenGuardrail || action !== 'passed')
      : stated;
  const { end, warning, seen } = useSeenToEnd(request.approval_id, hidden > 0);
  useEffect(() => onSeen(seen), [seen, onSeen]);
  return (
    <>
      <div className="request-arguments" tabIndex={0} role="region" aria-label={t('arguments.title')}>
        {form ? <FormBody form={form} /> : <WithheldArguments request={request} />}
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
