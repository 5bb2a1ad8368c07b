import { ArrowRight, Gamepad2, HardDrive, KeyRound, RefreshCw } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import type { ModelChoice, ProviderStatus } from '../../../src-preload/contract';
import { useText } from '../../messages/use-text';
import { listOf } from '../../state/host-store';
import { practiceModel } from '../../state/selectors';
import { useActions, useApp, useHost } from '../../state/use-app';
import type { IconType } from '../../ui/buttons';
import { Picker } from '../../ui/picker';
import { ProviderForm } from '../../ui/provider-form';
import './onboarding.css';

function Way(props: {
  readonly icon: IconType;
  readonly title: string;
  readonly children: ReactNode;
}): ReactNode {
  const Icon = props.icon;
  return (
    <section className="card way">
      <span className="way-icon">
        <Icon size={19} aria-hidden />
      </span>
      <div className="way-body">
        <h2>{props.title}</h2>
        {props.children}
      </div>
    </section>
  );
}

function firstModel(provider: ProviderStatus): ModelChoice | null {
  const name = provider.models[0]?.name;
  return provider.state === 'ready' && name !== undefined ? { provider: provider.id, name } : null;
}

function LocalModels(props: {
  readonly providers: readonly ProviderStatus[];
  readonly onStart: (model: ModelChoice) => void;
}): ReactNode {
  const { t } = useText();
  const actions = useActions();
  const local = props.providers.filter(
    (provider) => provider.kind === 'ollama' || provider.kind === 'lmstudio',
  );
  return (
    <Way icon={HardDrive} title={t('onboarding.local')}>
      <p className="muted">{t('onboarding.local.detail')}</p>
      <ul className="way-list">
        {local.map((provider) => {
          const model = firstModel(provider);
          return (
            <li key={provider.id}>
              <span>
                <strong>{provider.label}</strong>{' '}
                <span className="muted">
                  {model
                    ? t('provider.models', { count: provider.models.length })
                    : t(`provider.state.${provider.state}`)}
                </span>
              </span>
              {model ? (
                <button type="button" className="button small" onClick={() => props.onStart(model)}>
                  {t('onboarding.use')}
                </button>
              ) : null}
            </li>
          );
        })}
      </ul>
      <button
        type="button"
        className="button quiet small"
        onClick={() => void actions.run('provider.refresh', {})}
      >
        <RefreshCw size={14} aria-hidden />
        {t('onboarding.look_again')}
      </button>
    </Way>
  );
}

function Keys(props: {
  readonly providers: readonly ProviderStatus[];
  readonly onStart: (model: ModelChoice) => void;
}): ReactNode {
  const { t } = useText();
  const { gateway } = useApp();
  const info = useHost((state) => state.info);
  const withKey = props.providers.filter((provider) =>
    ['anthropic', 'openai', 'google'].includes(provider.kind),
  );
  const [chosen, setChosen] = useState<string | null>(null);
  const provider = withKey.find((candidate) => candidate.id === chosen) ?? withKey[0];
  if (!provider) return null;
  const model = firstModel(provider);
  return (
    <Way icon={KeyRound} title={t('onboarding.key')}>
      <p className="muted">{t('onboarding.key.detail')}</p>
      <Picker
        label={t('onboarding.provider')}
        value={provider.id}
        shown={provider.label}
        options={withKey.map((candidate) => ({ id: candidate.id, label: candidate.label }))}
        onChoose={setChosen}
      />
      <ProviderForm
        key={provider.id}
        provider={provider}
        keychain={info.status === 'ready' ? info.value.keychain : null}
        configure={(change) => gateway.command('provider.configure', { provider_id: provider.id, ...change })}
      />
      {model ? (
        <button type="button" className="button primary" onClick={() => props.onStart(model)}>
          {t('onboarding.start_with', { provider: provider.label })}
          <ArrowRight size={15} aria-hidden />
        </button>
      ) : null}
    </Way>
  );
}

/** The first minute: a working coworker without a key, or with the model that the person has. */
export function Onboarding(props: { readonly notices: ReactNode }): ReactNode {
  const { t } = useText();
  const actions = useActions();
  const providers = useHost((state) => listOf(state.providers));
  const hasDefault = useHost(
    (state) => state.settings.status === 'ready' && state.settings.value.default_model !== null,
  );
  const start = (model: ModelChoice): void => {
    actions.choose({ model });
    if (!hasDefault) actions.setSetting('default_model', model);
    actions.setSetting('onboarded', true);
    actions.goTo({ type: 'new' });
  };
  return (
    <main className="onboarding">
      {props.notices}
      <div className="onboarding-inner">
        <header>
          <span className="brand-mark large" aria-hidden>
            W
          </span>
          <h1>{t('onboarding.title')}</h1>
          <p className="muted">{t('onboarding.lead')}</p>
        </header>
        <Way icon={Gamepad2} title={t('onboarding.practice')}>
          <p className="muted">{t('onboarding.practice.detail')}</p>
          <button type="button" className="button primary" onClick={() => start(practiceModel(providers))}>
            {t('onboarding.practice.start')}
            <ArrowRight size={15} aria-hidden />
          </button>
          <p className="not-ai">{t('practice.not_ai')}</p>
        </Way>
        <LocalModels providers={providers} onStart={start} />
        <Keys providers={providers} onStart={start} />
        <button
          type="button"
          className="link-button later"
          onClick={() => actions.setSetting('onboarded', true)}
        >
          {t('onboarding.later')}
        </button>
      </div>
    </main>
  );
}
