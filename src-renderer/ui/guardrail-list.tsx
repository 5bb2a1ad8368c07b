import { ShieldAlert, ShieldCheck, ShieldX } from 'lucide-react';
import type { ReactNode } from 'react';
import type { GuardrailFact, GuardrailFinding } from '../../src-preload/contract';
import { hasMessage, useText, type Text } from '../messages/use-text';
import type { IconType } from './buttons';
import { VisibleText } from './visible-text';
import './guardrail-list.css';

type Look = GuardrailFact['action'] | 'left';

/** A pass with findings is no all-clear: something was found and nothing was done about it. */
const lookOf = ({ action, findings }: GuardrailFact): Look =>
  action === 'passed' && findings.length > 0 ? 'left' : action;

const icons: Readonly<Record<Look, IconType>> = {
  passed: ShieldCheck,
  left: ShieldAlert,
  transformed: ShieldAlert,
  withheld: ShieldAlert,
  blocked: ShieldX,
};

/** What became of a finding, where its guardrail says so. */
function replacedWords({ count, replaced }: GuardrailFinding, t: Text): string | null {
  if (replaced === undefined) return null;
  if (replaced === 0) return t('finding.replaced.none');
  return replaced >= count ? t('finding.replaced.all') : t('finding.replaced.some', { replaced });
}

function Finding({ finding }: { readonly finding: GuardrailFinding }): ReactNode {
  const { t } = useText();
  const became = replacedWords(finding, t);
  const key = `finding.${finding.kind}`;
  const name = hasMessage(key) ? t(key) : finding.kind;
  return (
    <li>
      <VisibleText text={name} /> <span className="muted">× {finding.count}</span>
      {became === null ? null : <span className="muted">: {became}</span>}
      {(finding.digests ?? []).slice(0, 8).map((digest) => (
        <code key={digest} className="mono muted" title={digest}>
          {digest.slice(0, 8)}
        </code>
      ))}
    </li>
  );
}

/** What each guardrail did to the arguments or the result, in plain words. */
export function GuardrailList({ facts }: { readonly facts: readonly GuardrailFact[] }): ReactNode {
  const { t } = useText();
  return (
    <ul className="guardrail-list">
      {facts.map((fact, index) => {
        const look = lookOf(fact);
        const Icon = icons[look];
        return (
          <li key={index} className={look}>
            <Icon size={15} aria-hidden />
            <div>
              <p>
                {t(`guardrail.${fact.stage}.${look}`)}{' '}
                <code className="mono">
                  <VisibleText text={fact.guardrail} />
                </code>
              </p>
              {fact.note === '' ? null : (
                <p className="break">
                  <VisibleText text={fact.note} />
                </p>
              )}
              {look === 'transformed' && fact.findings.some(({ replaced }) => replaced === undefined) ? (
                <p className="muted">{t('guardrail.found.transformed')}</p>
              ) : null}
              {fact.findings.length === 0 ? null : (
                <ul className="finding-list">
                  {fact.findings.map((finding) => (
                    <Finding key={finding.kind} finding={finding} />
                  ))}
                </ul>
              )}
            </div>
          </li>
        );
      })}
    </ul>
  );
}
