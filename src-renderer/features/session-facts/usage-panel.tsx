import type { ReactNode } from 'react';
import type { SessionMeter, SessionView } from '../../../src-preload/contract';
import { formatDuration, formatNumber } from '../../messages/format';
import { useText, type Text } from '../../messages/use-text';
import { listOf } from '../../state/host-store';
import { sessionChoices } from '../../state/selectors';
import { useHost } from '../../state/use-app';
import { formatDollars } from '../../ui/limit-words';
import { modelLabel } from '../../ui/model-picker';
import { carriedUse, type CarriedUse } from './carried-use';
import { LimitLines } from './limit-lines';
import { modelKnowledge } from './limit-shortfall';
import { Panel } from './panel';
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

function Estimated({ tokens }: { readonly tokens: number }): ReactNode {
  const { t, language } = useText();
  return (
    <p className="muted small">
      {t('usage.estimated', { count: tokens, amount: formatNumber(tokens, language) })}
    </p>
  );
}

/** What the numbers hold of the session that this one goes on from. */
function Carried({ carried }: { readonly carried: CarriedUse }): ReactNode {
  const { t, language } = useText();
  const number = (value: number): string => formatNumber(value, language);
  const { turns, input_tokens: sent, output_tokens: received } = carried;
  const parts = [
    ...(sent + received === 0
      ? []
      : [t('usage.carried_tokens', { sent: number(sent), received: number(received) })]),
    t('usage.carried_turns', { count: turns, amount: number(turns) }),
  ];
  return (
    <p className="muted small">
      {t('usage.carried')} {parts.join(', ')}. {t('usage.carried_limits')}
    </p>
  );
}

/** Tokens, cost, the window of the model, and the limits that the person set. */
export function UsagePanel(props: { readonly view: SessionView; readonly meter: SessionMeter }): ReactNode {
  const { t } = useText();
  const { view, meter } = props;
  const providers = useHost((state) => listOf(state.providers));
  const { model } = sessionChoices(view);
  const known = modelKnowledge(view, model, providers);
  const modelName = model ? modelLabel(model, providers, t) : t('facts.model');
  const carried = carriedUse(view);
  return (
    <Panel title={t('usage.title')}>
      {meter.requests === 0 && meter.turns === 0 ? (
        <p className="muted">{t('facts.no_usage')}</p>
      ) : (
        <>
          <ContextBar meter={meter} />
          <Totals meter={meter} />
          {carried ? <Carried carried={carried} /> : null}
          {meter.estimated_tokens > 0 ? <Estimated tokens={meter.estimated_tokens} /> : null}
          {known.reports === 'nothing' && meter.input_tokens + meter.output_tokens === 0 ? (
            <p className="muted small">{t('usage.unreported')}</p>
          ) : null}
        </>
      )}
      <LimitLines sessionId={view.session_id} facts={{ meter, model: known, modelName }} />
    </Panel>
  );
}
