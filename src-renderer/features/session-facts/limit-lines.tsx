import { useEffect, useRef, useState, type ReactNode } from 'react';
import type { SessionMeter } from '../../../src-preload/contract';
import { formatNumber } from '../../messages/format';
import { useText, type Text } from '../../messages/use-text';
import { limitUses, type LimitName } from '../../state/limit-use';
import { limitWords, usedWords } from '../../ui/limit-words';
import { shortfallOf, type ModelKnowledge, type Shortfall } from './limit-shortfall';
import { LimitsForm } from './limits-form';
import { ShareBar } from './share-bar';

export interface LimitFacts {
  readonly meter: SessionMeter;
  readonly model: ModelKnowledge;
  /** The model's name, for a person. */
  readonly modelName: string;
}

/** Why a limit counts less than what is used, in words. */
function shortfallWords({ reason }: Shortfall, facts: LimitFacts, t: Text, language: string): string {
  const tokens = facts.meter.unpriced_tokens;
  return t(`limit.short.${reason}`, {
    model: facts.modelName,
    count: tokens,
    amount: formatNumber(tokens, language),
  });
}

function LimitLine(props: {
  readonly use: ReturnType<typeof limitUses>[number];
  readonly facts: LimitFacts;
}): ReactNode {
  const { t, language } = useText();
  const { use, facts } = props;
  const short = shortfallOf(use.kind, facts.meter, facts.model);
  const why = short ? shortfallWords(short, facts, t, language) : '';
  if (short?.counts === 'nothing') {
    // A bar that cannot fill would look like a limit that holds.
    return (
      <div className="limit-line">
        <span>{t('usage.limit_only', { limit: limitWords(use.kind, use.limit, t, language) })}</span>
        <p className="limit-short">
          {why} {t('limit.short.nothing')}
        </p>
      </div>
    );
  }
  const words = usedWords(use, t, language);
  return (
    <div className="limit-line">
      <span>{words}</span>
      <ShareBar share={use.used / use.allowed} label={words} />
      {short ? <p className="limit-short">{why}</p> : null}
    </div>
  );
}

/** The limits that the person set, and the form that changes them. */
export function LimitLines(props: { readonly sessionId: string; readonly facts: LimitFacts }): ReactNode {
  const { t, language } = useText();
  const { facts } = props;
  const [editing, setEditing] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const wasEditing = useRef(false);
  useEffect(() => {
    if (wasEditing.current && !editing) button.current?.focus();
    wasEditing.current = editing;
  }, [editing]);
  const uses = limitUses(facts.meter);
  if (editing) {
    const hintOf = (name: LimitName): string | null => {
      const short = shortfallOf(name, facts.meter, facts.model);
      return short ? shortfallWords(short, facts, t, language) : null;
    };
    return (
      <LimitsForm
        sessionId={props.sessionId}
        limits={facts.meter.limits}
        hintOf={hintOf}
        onClose={() => setEditing(false)}
      />
    );
  }
  return (
    <div className="limits">
      {uses.map((use) => (
        <LimitLine key={use.kind} use={use} facts={facts} />
      ))}
      <button ref={button} type="button" className="link-button small" onClick={() => setEditing(true)}>
        {t(uses.length === 0 ? 'limit.set' : 'limit.change')}
      </button>
    </div>
  );
}
