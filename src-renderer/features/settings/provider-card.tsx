import { ChevronRight, RefreshCw, Trash2 } from 'lucide-react';
import { useId, useState, type ReactNode } from 'react';
import type { ProviderStatus } from '../../../src-preload/contract';
import { useText } from '../../messages/use-text';
import { useActions, useApp, useHost } from '../../state/use-app';
import { IconButton } from '../../ui/buttons';
import { FailureNote } from '../../ui/failure-note';
import { ProviderForm } from '../../ui/provider-form';
import { VisibleText } from '../../ui/visible-text';

const tone = {
  ready: 'good',
  checking: 'running',
  needs_key: 'neutral',
  not_running: 'neutral',
  failed: 'bad',
} as const satisfies Record<ProviderStatus['state'], string>;

function ProviderBody({
  provider,
  id,
}: {
  readonly provider: ProviderStatus;
  readonly id: string;
}): ReactNode {
  const { t } = useText();
  const { gateway, actions } = useApp();
  const info = useHost((state) => state.info);
  if (provider.kind === 'practice') {
    return (
      <div className="provider-body" id={id}>
        <p>{t('practice.explained')}</p>
      </div>
    );
  }
  return (
    <div className="provider-body" id={id}>
      {provider.error ? <FailureNote failure={provider.error} /> : null}
      <ProviderForm
        provider={provider}
        keychain={info.status === 'ready' ? info.value.keychain : null}
        withAddress
        configure={(change) => gateway.command('provider.configure', { provider_id: provider.id, ...change })}
      />
      {provider.kind === 'openai-compatible' ? (
        <button
          type="button"
          className="button quiet small remove-provider"
          onClick={() => void actions.run('provider.remove', { provider_id: provider.id })}
        >
          <Trash2 size={14} aria-hidden />
          {t('provider.remove')}
        </button>
      ) : null}
    </div>
  );
}

export function ProviderCard({ provider }: { readonly provider: ProviderStatus }): ReactNode {
  const { t } = useText();
  const actions = useActions();
  const [open, setOpen] = useState(false);
  const id = useId();
  return (
    <li className="provider">
      <div className="provider-line">
        <button
          type="button"
          className="provider-toggle"
          aria-expanded={open}
          aria-controls={open ? id : undefined}
          onClick={() => setOpen(!open)}
        >
          <ChevronRight size={13} aria-hidden className={open ? 'turned' : ''} />
          <span className="provider-name">
            <strong>
              <VisibleText text={provider.kind === 'practice' ? t('practice.model') : provider.label} />
            </strong>
            <span className="muted small truncate">
              {provider.kind === 'practice'
                ? t('practice.not_ai')
                : provider.state === 'ready'
                  ? t('provider.models', { count: provider.models.length })
                  : (provider.base_url ?? t(`provider.kept.${provider.key}`))}
            </span>
          </span>
          <span className={`chip tone-${tone[provider.state]}`}>{t(`provider.state.${provider.state}`)}</span>
        </button>
        {provider.kind === 'practice' ? null : (
          <IconButton
            small
            icon={RefreshCw}
            label={t('provider.refresh', { provider: provider.label })}
            onClick={() => void actions.run('provider.refresh', { provider_id: provider.id })}
          />
        )}
      </div>
      {open ? <ProviderBody provider={provider} id={id} /> : null}
    </li>
  );
}
