import { useEffect, useId, useRef, useState, type FormEvent, type ReactNode } from 'react';
import type { Failure, ProviderStatus, Result } from '../../src-preload/contract';
import { useText } from '../messages/use-text';
import { FailureNote } from './failure-note';
import './provider-form.css';

export interface ProviderChange {
  readonly base_url?: string | null;
  readonly key?: string;
}

type Check =
  | { readonly status: 'idle' }
  | { readonly status: 'checking' }
  | { readonly status: 'accepted' }
  | { readonly status: 'refused'; readonly error: Failure };

const hasKey = (provider: ProviderStatus): boolean =>
  provider.key === 'keychain' || provider.key === 'session' || provider.key === 'environment';

/** The reason lies below the button: where the window is low it must come into sight. */
function Refused({ error }: { readonly error: Failure }): ReactNode {
  const root = useRef<HTMLDivElement>(null);
  useEffect(() => root.current?.scrollIntoView({ block: 'nearest' }), [error]);
  return (
    <div ref={root} className="check-refused">
      <FailureNote failure={error} announce />
    </div>
  );
}

function CheckLine({ check, models }: { readonly check: Check; readonly models: number }): ReactNode {
  const { t } = useText();
  if (check.status === 'refused') return <Refused error={check.error} />;
  const words = {
    idle: '',
    checking: t('provider.checking'),
    accepted: t('provider.accepted', { count: models }),
  };
  return (
    <p className={check.status === 'accepted' ? 'check-line good' : 'check-line'} role="status">
      {words[check.status]}
    </p>
  );
}

function KeyField(props: {
  readonly provider: ProviderStatus;
  readonly keychain: 'system' | 'none' | null;
  readonly value: string;
  readonly onChange: (key: string) => void;
}): ReactNode {
  const { t } = useText();
  const id = useId();
  const { provider } = props;
  return (
    <div className="field">
      <label htmlFor={id}>{t('provider.key')}</label>
      <input
        id={id}
        className="input"
        type="password"
        autoComplete="off"
        spellCheck={false}
        placeholder={hasKey(provider) ? t('provider.key.replace') : t('provider.key.enter')}
        value={props.value}
        onChange={(event) => props.onChange(event.target.value)}
      />
      <p className="field-hint">{t(`provider.kept.${provider.key}`)}</p>
      {props.keychain === 'none' && provider.key !== 'keychain' ? (
        <p className="field-error">{t('provider.no_keychain')}</p>
      ) : null}
    </div>
  );
}

function AddressField(props: {
  readonly value: string;
  readonly onChange: (address: string) => void;
}): ReactNode {
  const { t } = useText();
  const id = useId();
  return (
    <div className="field">
      <label htmlFor={id}>{t('provider.address')}</label>
      <input
        id={id}
        className="input mono"
        type="text"
        inputMode="url"
        spellCheck={false}
        placeholder={t('provider.address.default')}
        value={props.value}
        onChange={(event) => props.onChange(event.target.value)}
      />
    </div>
  );
}

/** Key and address of one provider. The key is checked at the endpoint when it is entered, and never comes back. */
export function ProviderForm(props: {
  readonly provider: ProviderStatus;
  readonly keychain: 'system' | 'none' | null;
  readonly configure: (change: ProviderChange) => Promise<Result<unknown>>;
  readonly withAddress?: boolean;
}): ReactNode {
  const { t } = useText();
  const { provider } = props;
  const [key, setKey] = useState('');
  const [address, setAddress] = useState(provider.base_url ?? '');
  const [check, setCheck] = useState<Check>({ status: 'idle' });
  const changed = address !== (provider.base_url ?? '');
  const send = async (change: ProviderChange): Promise<void> => {
    setCheck({ status: 'checking' });
    const result = await props.configure(change);
    setCheck(result.ok ? { status: 'accepted' } : { status: 'refused', error: result.error });
    if (result.ok) setKey('');
  };
  const idle = (key === '' && !changed) || check.status === 'checking';
  const onSubmit = (event: FormEvent): void => {
    event.preventDefault();
    if (idle) return;
    void send({
      ...(changed ? { base_url: address.trim() === '' ? null : address.trim() } : {}),
      ...(key === '' ? {} : { key: key.trim() }),
    });
  };
  return (
    <form className="provider-form" onSubmit={onSubmit}>
      {provider.key === 'not_needed' ? null : (
        <KeyField provider={provider} keychain={props.keychain} value={key} onChange={setKey} />
      )}
      {props.withAddress ? <AddressField value={address} onChange={setAddress} /> : null}
      <div className="form-row">
        <button type="submit" className="button primary small" aria-disabled={idle}>
          {t('provider.check')}
        </button>
        {provider.key === 'keychain' || provider.key === 'session' ? (
          <button type="button" className="button quiet small" onClick={() => void send({ key: '' })}>
            {t('provider.key.remove')}
          </button>
        ) : null}
      </div>
      <CheckLine check={check} models={provider.models.length} />
    </form>
  );
}
