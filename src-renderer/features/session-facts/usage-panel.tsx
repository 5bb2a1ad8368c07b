import { useState, type ReactNode } from 'react';
import type { SessionMeter } from '../../../src-preload/contract';
import { formatDuration, formatNumber } from '../../messages/format';
import { useText, type Text } from '../../messages/use-text';
import { formatDollars, limitWords } from '../../ui/limit-words';
import { LimitsForm } from './limits-form';
import { Panel } from './panel';
import { limitNames, type LimitName } from './parse-limit';
import { ShareBar } from './share-bar';

/** What was spent, said no more exactly than it is known. */
function costWords(meter: SessionMeter, t: Text, language: string): string {
  const known = formatDollars(meter.cost_usd, language);
  if (meter.unpriced_tokens === 0) return known;
  return meter.cost_usd > 0 ? t('usage.cost_at_least', { cost: known }) : t('usage.cost_unknown');
}

function ContextBar({ meter }: { readonly meter: SessionMeter }): ReactNode {
  const { t, language } = useText();
  const { context_tokens: used, context_window: window } = meter;
  if (used === null) return null;
  const size = formatNumber(used, language);
  if (window === null) return <p className="muted small">{t('usage.window_unknown', { used: size })}</p>;
  const percent = new Intl.NumberFormat(language, { style: 'percent' }).format(used / window);
  return (
    <div className="context-bar">
      <div>
        <span>{t('usage.context')}</span>
        <span className="muted">{percent}</span>
      </div>
      <ShareBar share={used / window} label={t('usage.context')} />
      <p className="muted small">
        {t('usage.context_of', { used: size, window: formatNumber(window, language) })}
      </p>
    </div>
  );
}

function Totals({ meter }: { readonly meter: SessionMeter }): ReactNode {
  const { t, language } = useText();
  const number = (value: number): string => formatNumber(value, language);
  const tokens = meter.input_tokens + meter.output_tokens;
  return (
    <dl className="fact-list">
      {tokens === 0 ? null : (
        <>
          <dt>{t('facts.tokens_in')}</dt>
          <dd>
            {number(meter.input_tokens)}
            {meter.cached_input_tokens > 0 ? (
              <span className="muted">
                {' '}
                {t('usage.cached', {
                  count: meter.cached_input_tokens,
                  amount: number(meter.cached_input_tokens),
                })}
              </span>
            ) : null}
          </dd>
          <dt>{t('facts.tokens_out')}</dt>
          <dd>{number(meter.output_tokens)}</dd>
          <dt>{t('usage.cost')}</dt>
          <dd>{costWords(meter, t, language)}</dd>
        </>
      )}
      <dt>{t('usage.turns')}</dt>
      <dd>{number(meter.turns)}</dd>
      <dt>{t('usage.time')}</dt>
      <dd>{formatDuration(meter.active_ms, t, language)}</dd>
    </dl>
  );
}

function usedOf(meter: SessionMeter, name: LimitName): number {
  switch (name) {
    case 'tokens':
      return meter.input_tokens + meter.output_tokens;
    case 'cost_usd':
      return meter.cost_usd;
    case 'turns':
      return meter.turns;
    case 'minutes':
      return meter.active_ms / 60_000;
  }
}

function Limits({
  sessionId,
  meter,
}: {
  readonly sessionId: string;
  readonly meter: SessionMeter;
}): ReactNode {
  const { t, language } = useText();
  const [editing, setEditing] = useState(false);
  const set = limitNames.flatMap((name) => {
    const limit = meter.limits[name];
    return typeof limit === 'number' ? [{ name, limit }] : [];
  });
  if (editing) {
    return <LimitsForm sessionId={sessionId} limits={meter.limits} onClose={() => setEditing(false)} />;
  }
  return (
    <div className="limits">
      {set.map(({ name, limit }) => {
        // Each time the person went on allows the same amount once more.
        const allowed = meter.allowed[name] ?? limit;
        const words = t('usage.limit_of', {
          used: limitWords(name, usedOf(meter, name), t, language),
          limit: limitWords(name, allowed, t, language),
        });
        return (
          <div key={name} className="limit-line">
            <span>{words}</span>
            <ShareBar share={usedOf(meter, name) / allowed} label={words} />
          </div>
        );
      })}
      <button type="button" className="link-button small" onClick={() => setEditing(true)}>
        {t(set.length === 0 ? 'limit.set' : 'limit.change')}
      </button>
    </div>
  );
}

/** Tokens, cost, the window of the model, and the limits that the person set. */
export function UsagePanel(props: { readonly sessionId: string; readonly meter: SessionMeter }): ReactNode {
  const { t } = useText();
  const { meter } = props;
  return (
    <Panel title={t('usage.title')}>
      {meter.requests === 0 && meter.turns === 0 ? (
        <p className="muted">{t('facts.no_usage')}</p>
      ) : (
        <>
          <ContextBar meter={meter} />
          <Totals meter={meter} />
          {meter.requests > 0 && meter.input_tokens + meter.output_tokens === 0 ? (
            <p className="muted small">{t('usage.unreported')}</p>
          ) : null}
        </>
      )}
      <Limits sessionId={props.sessionId} meter={meter} />
    </Panel>
  );
}
