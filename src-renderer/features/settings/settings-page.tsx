import { TriangleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import type { Settings } from '../../../src-preload/contract';
import { useText } from '../../messages/use-text';
import { listOf } from '../../state/host-store';
import { startingModel } from '../../state/selectors';
import { useActions, useHost, useUi } from '../../state/use-app';
import type { SettingsSection } from '../../state/ui-store';
import { ModelPicker } from '../../ui/model-picker';
import { Load } from '../../ui/states';
import { AddEndpoint } from './add-endpoint';
import { AttentionSettings } from './attention-settings';
import { Choice } from './choice';
import { ProviderCard } from './provider-card';
import { RequestSettings } from './request-settings';
import './settings.css';

const sections: readonly SettingsSection[] = ['models', 'requests', 'attention', 'appearance', 'about'];

function Models({ settings }: { readonly settings: Settings }): ReactNode {
  const { t } = useText();
  const actions = useActions();
  const providers = useHost((state) => state.providers);
  const info = useHost((state) => state.info);
  const choice = useUi((state) => state.newSession);
  return (
    <>
      {info.status === 'ready' && info.value.keychain === 'none' ? (
        <p className="plain-warning">
          <TriangleAlert size={15} aria-hidden />
          {t('settings.no_keychain')}
        </p>
      ) : null}
      <div className="setting">
        <span className="field-label">{t('settings.default_model')}</span>
        <ModelPicker
          providers={listOf(providers)}
          model={settings.default_model ?? startingModel(choice, settings, listOf(providers))}
          onChoose={(model) => {
            // What was chosen for the next session before gives way to the new default.
            actions.choose({ model: null });
            actions.setSetting('default_model', model);
          }}
        />
      </div>
      <h2 className="settings-heading">{t('settings.providers')}</h2>
      <Load from={providers} retry={() => void actions.reload('providers')}>
        {(list) => (
          <ul className="card provider-list">
            {list.map((provider) => (
              <ProviderCard key={provider.id} provider={provider} />
            ))}
          </ul>
        )}
      </Load>
      <div className="add-endpoint">
        <AddEndpoint />
      </div>
    </>
  );
}

function Appearance({ settings }: { readonly settings: Settings }): ReactNode {
  const { t } = useText();
  const actions = useActions();
  return (
    <>
      <Choice
        label={t('settings.theme')}
        value={settings.theme}
        options={(['system', 'light', 'dark'] as const).map((id) => ({ id, label: t(`theme.${id}`) }))}
        onChoose={(theme) => actions.setSetting('theme', theme)}
      />
      <Choice
        label={t('settings.language')}
        value={settings.language === 'de' || settings.language === 'en' ? settings.language : 'system'}
        options={[
          { id: 'system', label: t('theme.system') },
          { id: 'en', label: 'English' },
          { id: 'de', label: 'Deutsch' },
        ]}
        onChoose={(language) => actions.setSetting('language', language)}
      />
    </>
  );
}

function About(): ReactNode {
  const { t } = useText();
  const actions = useActions();
  const info = useHost((state) => state.info);
  return (
    <Load from={info} retry={() => void actions.loadAll()}>
      {(value) => (
        <dl className="about-facts">
          <dt>{t('about.version')}</dt>
          <dd>{value.version}</dd>
          <dt>{t('about.electron')}</dt>
          <dd>{value.electron}</dd>
          <dt>{t('about.data')}</dt>
          <dd className="mono break">{value.data_folder}</dd>
          <dt>{t('about.keychain')}</dt>
          <dd>{value.keychain === 'system' ? value.keychain_backend : t('about.keychain.none')}</dd>
        </dl>
      )}
    </Load>
  );
}

export function SettingsPage({ section }: { readonly section: SettingsSection }): ReactNode {
  const { t } = useText();
  const actions = useActions();
  const settings = useHost((state) => state.settings);
  const page = useUi((state) => state.page);
  return (
    <div className="page-scroll">
      <div className="page-inner">
        <h1 className="page-title">{t('settings.title')}</h1>
        <nav className="tabs" aria-label={t('settings.title')}>
          {sections.map((id) => (
            <button
              key={id}
              type="button"
              className="tab"
              aria-current={page.type === 'settings' && section === id ? 'page' : undefined}
              onClick={() => actions.goTo({ type: 'settings', section: id })}
            >
              {t(`settings.section.${id}`)}
            </button>
          ))}
        </nav>
        <Load from={settings} retry={() => void actions.loadAll()}>
          {(value) => {
            switch (section) {
              case 'models':
                return <Models settings={value} />;
              case 'requests':
                return <RequestSettings minutes={value.approval_expiry_minutes} />;
              case 'attention':
                return <AttentionSettings settings={value} />;
              case 'appearance':
                return <Appearance settings={value} />;
              case 'about':
                return <About />;
            }
          }}
        </Load>
      </div>
    </div>
  );
}
