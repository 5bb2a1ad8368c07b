import { useEffect, useId, useRef, useState, type FormEvent, type ReactNode } from 'react';
import type { SessionLimits } from '../../../src-preload/contract';
import { useText } from '../../messages/use-text';
import { sessionLimits, type LimitName } from '../../state/limit-use';
import type { LimitsPayload } from '../../state/turn-actions';
import { useActions } from '../../state/use-app';
import { parseLimit } from './parse-limit';

function Field(props: {
  readonly name: LimitName;
  readonly value: string;
  readonly problem: string | null;
  /** What the limit does not count; null where it counts everything. */
  readonly hint: string | null;
  readonly onChange: (value: string) => void;
}): ReactNode {
  const { t } = useText();
  const id = useId();
  const { problem, hint } = props;
  const described = [hint === null ? null : `${id}-hint`, problem === null ? null : `${id}-problem`]
    .filter((part) => part !== null)
    .join(' ');
  return (
    <div className="limit-field">
      <label htmlFor={id}>{t(`limit.${props.name}`)}</label>
      <input
        id={id}
        className="input"
        inputMode="decimal"
        autoComplete="off"
        placeholder={t('limit.none')}
        aria-invalid={problem !== null}
        aria-describedby={described === '' ? undefined : described}
        value={props.value}
        onChange={(event) => props.onChange(event.target.value)}
      />
      {hint === null ? null : (
        <p className="limit-short" id={`${id}-hint`}>
          {hint}
        </p>
      )}
      {problem === null ? null : (
        <p className="field-error" id={`${id}-problem`}>
          {problem}
        </p>
      )}
    </div>
  );
}

function Buttons(props: { readonly busy: boolean; readonly onCancel: () => void }): ReactNode {
  const { t } = useText();
  return (
    <div className="limit-buttons">
      <button type="button" className="button small" onClick={props.onCancel}>
        {t('common.cancel')}
      </button>
      <button type="submit" className="button primary small" aria-disabled={props.busy}>
        {t('limit.save')}
      </button>
    </div>
  );
}

/** Limits of the session. An empty field is no limit; reaching one pauses the turn with a question. */
export function LimitsForm(props: {
  readonly sessionId: string;
  readonly limits: SessionLimits;
  readonly hintOf: (name: LimitName) => string | null;
  readonly onClose: () => void;
}): ReactNode {
  const { t, language } = useText();
  const actions = useActions();
  const [written, setWritten] = useState(() => {
    const format = new Intl.NumberFormat(language, { useGrouping: false, maximumFractionDigits: 6 });
    const shown = (name: LimitName): string => {
      const value = props.limits[name];
      return typeof value === 'number' ? format.format(value) : '';
    };
    return Object.fromEntries(sessionLimits.map((name) => [name, shown(name)])) as Record<LimitName, string>;
  });
  const [tried, setTried] = useState(false);
  const [busy, setBusy] = useState(false);
  const form = useRef<HTMLFormElement>(null);
  // It is there because the person asked for it just now.
  useEffect(() => form.current?.querySelector('input')?.focus(), []);
  const save = (event: FormEvent): void => {
    event.preventDefault();
    setTried(true);
    const parsed = sessionLimits.map((name) => [name, parseLimit(name, written[name])] as const);
    if (busy || parsed.some(([, limit]) => !limit.ok)) return;
    const limits = Object.fromEntries(
      parsed.map(([name, limit]) => [name, limit.ok ? limit.value : null]),
    ) as LimitsPayload;
    setBusy(true);
    void actions.setLimits(props.sessionId, limits).then((taken) => {
      setBusy(false);
      if (taken) props.onClose();
    });
  };
  return (
    <form ref={form} className="limits-form" onSubmit={save} noValidate>
      <p className="muted small">{t('limit.detail')}</p>
      {sessionLimits.map((name) => {
        const parsed = parseLimit(name, written[name]);
        return (
          <Field
            key={name}
            name={name}
            value={written[name]}
            hint={props.hintOf(name)}
            problem={tried && !parsed.ok ? t(`limit.problem.${parsed.problem}`) : null}
            onChange={(value) => setWritten((known) => ({ ...known, [name]: value }))}
          />
        );
      })}
      <Buttons busy={busy} onCancel={props.onClose} />
    </form>
  );
}
