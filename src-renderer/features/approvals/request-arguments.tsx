import { TriangleAlert } from 'lucide-react';
import { useEffect, useMemo, useRef, useState, type ReactNode } from 'react';
import type { ApprovalRequested, JsonObject } from '../../../src-preload/contract';
import { useText, type Text } from '../../messages/use-text';
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

function withheldWords({ guardrails }: ApprovalRequested, t: Text): string {
  const fact = guardrails?.find((one) => one.action === 'withheld');
  return fact ? t('arguments.withheld_by', { name: fact.guardrail }) : t('arguments.withheld');
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
  const { end, warning, seen } = useSeenToEnd(request.approval_id, hidden > 0);
  useEffect(() => onSeen(seen), [seen, onSeen]);
  return (
    <>
      <div className="request-arguments" tabIndex={0} role="region" aria-label={t('arguments.title')}>
        {form ? <FormBody form={form} /> : <p className="muted">{withheldWords(request, t)}</p>}
        <span ref={end} className="request-end" />
      </div>
      {request.guardrails && request.guardrails.length > 0 ? (
        <div className="request-guardrails">
          <GuardrailList facts={request.guardrails} />
        </div>
      ) : null}
      {hidden > 0 ? (
        <p className="request-warning" ref={warning}>
          <TriangleAlert size={15} aria-hidden />
          {t('approval.hidden', { count: hidden })}
        </p>
      ) : null}
    </>
  );
}
