import { ShieldAlert, ShieldCheck, ShieldX } from 'lucide-react';
import type { ReactNode } from 'react';
import type { GuardrailFact, GuardrailFinding } from '../../src-preload/contract';
import { hasMessage, useText } from '../messages/use-text';
import type { IconType } from './buttons';
import { VisibleText } from './visible-text';
import './guardrail-list.css';

const icons: Readonly<Record<GuardrailFact['action'], IconType>> = {
  passed: ShieldCheck,
  transformed: ShieldAlert,
  withheld: ShieldAlert,
  blocked: ShieldX,
};

function Finding({ finding }: { readonly finding: GuardrailFinding }): ReactNode {
  const { t } = useText();
  const key = `finding.${finding.kind}`;
  const name = hasMessage(key) ? t(key) : finding.kind;
  return (
    <li>
      <VisibleText text={name} /> <span className="muted">× {finding.count}</span>
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
        const Icon = icons[fact.action];
        return (
          <li key={index} className={fact.action}>
            <Icon size={15} aria-hidden />
            <div>
              <p>
                {t(`guardrail.${fact.stage}.${fact.action}`)}{' '}
                <code className="mono">
                  <VisibleText text={fact.guardrail} />
                </code>
              </p>
              {fact.note === '' ? null : (
                <p className="break">
                  <VisibleText text={fact.note} />
                </p>
              )}
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
