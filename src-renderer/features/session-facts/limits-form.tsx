import { useId, useState, type FormEvent, type ReactNode } from 'react';
import type { SessionLimits } from '../../../src-preload/contract';
import { useText } from '../../messages/use-text';
import type { LimitsPayload } from '../../state/turn-actions';
import { useActions } from '../../state/use-app';
import { limitNames, parseLimit, type LimitName } from './parse-limit';

function Field(props: {
  readonly name: LimitName;
  readonly value: string;
  readonly problem: string | null;
  readonly onChange: (value: string) => void;
}): ReactNode {
  const { t } = useText();
  const id = useId();
  const { problem } = props;
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
        aria-describedby={problem === null ? undefined : `${id}-problem`}
        value={props.value}
        onChange={(event) => props.onChange(event.target.value)}
      />
      {problem === null ? null : (
        <p className="field-error" id={`${id}-problem`}>
          {problem}
        </p>
      )}
    </div>
  );
}

/** Limits of the session. An empty field is no limit; reaching one pauses the turn with a question. */
export function LimitsForm(props: {
  readonly sessionId: string;
  readonly limits: SessionLimits;
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
    return Object.fromEntries(limitNames.map((name) => [name, shown(name)])) as Record<LimitName, string>;
  });
  const [tried, setTried] = useState(false);
  const [busy, setBusy] = useState(false);
  const save = (event: FormEvent): void => {
    event.preventDefault();
    setTried(true);
    const parsed = limitNames.map((name) => [name, parseLimit(name, written[name])] as const);
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
    <form className="limits-form" onSubmit={save} noValidate>
      <p className="muted small">{t('limit.detail')}</p>
      {limitNames.map((name) => {
        const parsed = parseLimit(name, written[name]);
        return (
          <Field
            key={name}
            name={name}
            value={written[name]}
            problem={tried && !parsed.ok ? t(`limit.problem.${parsed.problem}`) : null}
            onChange={(value) => setWritten((known) => ({ ...known, [name]: value }))}
          />
        );
      })}
      <div className="limit-buttons">
        <button type="button" className="button small" onClick={props.onClose}>
          {t('common.cancel')}
        </button>
        <button type="submit" className="button primary small" aria-disabled={busy}>
          {t('limit.save')}
        </button>
      </div>
    </form>
  );
}
