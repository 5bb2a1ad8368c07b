import { TriangleAlert } from 'lucide-react';
import { useEffect, useId, useMemo, useRef, type ReactNode } from 'react';
import type { ArgumentPattern, LastingScope, PendingApproval } from '../../../src-preload/contract';
import { useText } from '../../messages/use-text';
import type { GrantEnd, RequestDraft } from '../../state/ui-store';
import { samePattern } from '../../ui/narrow-kind';
import { PatternView } from '../../ui/pattern-view';
import { LoadingNote } from '../../ui/states';
import { acceptanceOf, type RequestTerms } from './request-terms';
import { ScopePreview } from './scope-preview';
import type { Reading } from './use-reading';
import './scope-panel.css';

const ends: readonly GrantEnd[] = ['none', 'day', 'week', 'month', 'own'];

interface PanelProps {
  readonly sessionId: string;
  readonly coworker: string;
  readonly pending: PendingApproval;
  readonly reading: Reading;
  readonly terms: RequestTerms;
  readonly draft: RequestDraft;
  readonly onDraft: (change: Partial<RequestDraft>) => void;
}

function Option(props: {
  readonly name: string;
  readonly pattern: ArgumentPattern;
  readonly tool: string;
  readonly checked: boolean;
  readonly former: boolean;
  readonly onChoose: () => void;
}): ReactNode {
  const { t } = useText();
  return (
    <label className="narrow-option">
      <input type="radio" name={props.name} checked={props.checked} onChange={props.onChoose} />
      <span className="break">
        {props.pattern.length === 0 ? (
          t('narrow.any', { tool: props.tool })
        ) : (
          <PatternView pattern={props.pattern} />
        )}
        {props.former ? <span className="tag">{t('narrow.former')}</span> : null}
      </span>
    </label>
  );
}

function Narrowing({ pending, reading, terms, onDraft }: PanelProps): ReactNode {
  const { t } = useText();
  const name = useId();
  const { pattern, options, former } = terms;
  const { data } = pending.request;
  const before = former ? (former.grant.pattern ?? []) : null;
  return (
    <fieldset className="scope-narrow">
      <legend>{t('narrow.label')}</legend>
      {options.map((option) => (
        <Option
          key={JSON.stringify(option)}
          name={name}
          pattern={option}
          tool={data.qualified_name ?? data.name}
          checked={pattern !== null && samePattern(option, pattern)}
          former={before !== null && samePattern(option, before)}
          onChoose={() => onDraft({ pattern: option })}
        />
      ))}
      {reading.state.status === 'loading' ? <LoadingNote label={t('narrow.loading')} /> : null}
      {reading.state.status === 'failed' ? (
        <p className="field-hint">
          {t('narrow.failed')}{' '}
          <button type="button" className="link-button" onClick={reading.again}>
            {t('common.try_again')}
          </button>
        </p>
      ) : null}
    </fieldset>
  );
}

function End({ draft, onDraft }: PanelProps): ReactNode {
  const { t } = useText();
  const id = useId();
  return (
    <div className="scope-end">
      <label htmlFor={id}>{t('end.label')}</label>
      <select
        id={id}
        className="input"
        value={draft.end}
        onChange={({ target }) => onDraft({ end: ends.find((end) => end === target.value) ?? 'none' })}
      >
        {ends.map((end) => (
          <option key={end} value={end}>
            {t(`end.${end}`)}
          </option>
        ))}
      </select>
      {draft.end === 'own' ? (
        <input
          type="date"
          className="input"
          aria-label={t('end.date')}
          value={draft.own_day}
          onChange={({ target }) => onDraft({ own_day: target.value })}
        />
      ) : null}
    </div>
  );
}

/** Says what would run unasked, and asks for a tick before it may. */
function Warning(props: PanelProps & { readonly scope: LastingScope }): ReactNode {
  const { t } = useText();
  const { terms, draft, coworker, scope, pending } = props;
  const { warning, pattern } = terms;
  if (warning === null || pattern === null) return null;
  const mark = acceptanceOf(scope, pattern);
  const { data } = pending.request;
  return (
    <div className="scope-warning" role="alert">
      <p>
        <TriangleAlert size={16} aria-hidden />
        <span>{t(`preview.warning.${warning}`, { coworker, tool: data.qualified_name ?? data.name })}</span>
      </p>
      <label>
        <input
          type="checkbox"
          checked={draft.accepted === mark}
          onChange={({ target }) => props.onDraft({ accepted: target.checked ? mark : null })}
        />
        {t(`preview.accept.${warning}`)}
      </label>
    </div>
  );
}

/** What a permission that outlives the call covers: narrowed, with an end, and seen against the calls on record. */
export function ScopePanel(props: PanelProps): ReactNode {
  const { t } = useText();
  const panel = useRef<HTMLElement>(null);
  const { terms, pending, sessionId, draft } = props;
  const { scope, pattern } = terms;
  const { data } = pending.request;
  const wanted = useMemo(
    () =>
      scope === 'once' || pattern === null
        ? null
        : { session_id: sessionId, approval_id: pending.approval_id, scope, pattern },
    [scope, pattern, sessionId, pending.approval_id],
  );
  const before = useRef(scope);
  // What the person asked for stands below what is on the screen; the focus stays where it is.
  useEffect(() => {
    if (before.current !== scope && draft.scope !== null) panel.current?.scrollIntoView({ block: 'nearest' });
    before.current = scope;
  }, [scope, draft.scope]);
  if (scope === 'once') return null;
  return (
    <section className="scope-panel" ref={panel} aria-label={t('narrow.panel')}>
      <Narrowing {...props} />
      <Warning {...props} scope={scope} />
      <End {...props} />
      {wanted === null ? null : <ScopePreview wanted={wanted} tool={data.qualified_name ?? data.name} />}
    </section>
  );
}
