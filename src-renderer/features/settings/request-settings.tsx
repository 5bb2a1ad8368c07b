import { useId, useState, type ReactNode } from 'react';
import { formatNumber } from '../../messages/format';
import { useText } from '../../messages/use-text';
import { useActions } from '../../state/use-app';
import { Choice } from './choice';
import { expiryChoice, mostExpiryMinutes, parseMinutes, type ExpiryChoice } from './expiry-minutes';

/** What `own` begins with where no time was set before. */
const firstOwn = 30;

function OwnMinutes(props: {
  readonly minutes: number;
  readonly onChange: (minutes: number) => void;
}): ReactNode {
  const { t, language } = useText();
  const [text, setText] = useState(String(props.minutes));
  const id = useId();
  const wrong = parseMinutes(text) === null;
  return (
    <div className="setting">
      <label className="field-label" htmlFor={id}>
        {t('expiry.minutes')}
      </label>
      <div className="setting-number">
        <input
          id={id}
          className="input"
          inputMode="numeric"
          autoComplete="off"
          aria-invalid={wrong}
          aria-describedby={wrong ? `${id}-wrong` : undefined}
          value={text}
          onChange={(event) => {
            setText(event.target.value);
            const minutes = parseMinutes(event.target.value);
            if (minutes !== null) props.onChange(minutes);
          }}
        />
        <span className="muted">{t('expiry.minutes.unit')}</span>
        {wrong ? (
          <p className="field-error" id={`${id}-wrong`} role="alert">
            {t('expiry.minutes.wrong', { most: formatNumber(mostExpiryMinutes, language) })}
          </p>
        ) : null}
      </div>
    </div>
  );
}

/** When a request that nobody answers is closed; null: never. */
export function RequestSettings({ minutes }: { readonly minutes: number | null }): ReactNode {
  const { t } = useText();
  const actions = useActions();
  const [own, setOwn] = useState(expiryChoice(minutes) === 'own');
  const chosen: ExpiryChoice = own ? 'own' : expiryChoice(minutes);
  const set = (value: number | null): void => actions.setSetting('approval_expiry_minutes', value);
  const choose = (choice: ExpiryChoice): void => {
    setOwn(choice === 'own');
    if (choice === 'own') set(minutes ?? firstOwn);
    else set(choice === 'never' ? null : Number(choice));
  };
  return (
    <>
      <Choice
        label={t('expiry.label')}
        value={chosen}
        options={(['never', '15', '60', '480', 'own'] as const).map((id) => ({
          id,
          label: t(`expiry.${id}`),
        }))}
        onChoose={choose}
      />
      {own ? <OwnMinutes minutes={minutes ?? firstOwn} onChange={set} /> : null}
      <p className="muted setting-note">
        {t(chosen === 'never' ? 'expiry.explained.never' : 'expiry.explained')}
      </p>
    </>
  );
}
