import { Cpu } from 'lucide-react';
import type { ReactNode } from 'react';
import type { ModelChoice, ProviderStatus } from '../../src-preload/contract';
import { useText, type Text } from '../messages/use-text';
import { Picker, type PickerOption } from './picker';

const separator = '\n';

export function modelLabel(model: ModelChoice, providers: readonly ProviderStatus[], t: Text): string {
  const provider = providers.find((candidate) => candidate.id === model.provider);
  if (provider?.kind === 'practice') return t('practice.model');
  return provider?.models.find((known) => known.name === model.name)?.label ?? model.name;
}

const isUsable = (provider: ProviderStatus): boolean =>
  provider.state === 'ready' && provider.models.length > 0;

function reasonOf(provider: ProviderStatus, t: Text): string {
  return provider.state === 'ready' ? t('provider.no_models') : t(`provider.state.${provider.state}`);
}

/** Models that can be used first; below them one line for each provider that cannot, with the reason. */
function optionsOf(providers: readonly ProviderStatus[], t: Text): PickerOption[] {
  const usable = providers.filter(isUsable).flatMap((provider): PickerOption[] =>
    provider.models.map((model) => ({
      id: `${provider.id}${separator}${model.name}`,
      label: provider.kind === 'practice' ? t('practice.model') : model.label,
      group: provider.label,
      ...(provider.kind === 'practice' ? { detail: t('practice.not_ai') } : {}),
    })),
  );
  const others = providers
    .filter((provider) => !isUsable(provider))
    .map((provider) => ({
      id: `${provider.id}${separator}`,
      label: `${provider.label}: ${reasonOf(provider, t)}`,
      group: t('provider.not_usable'),
      disabled: true,
    }));
  return [...usable, ...others];
}

export function ModelPicker(props: {
  readonly providers: readonly ProviderStatus[];
  readonly model: ModelChoice | null;
  readonly onChoose: (model: ModelChoice) => void;
  readonly onSettings?: () => void;
  readonly side?: 'above' | 'below';
  readonly disabled?: boolean;
}): ReactNode {
  const { t } = useText();
  const { model } = props;
  const footer = props.onSettings ? (
    <button type="button" className="button quiet small" onClick={props.onSettings}>
      {t('model.manage')}
    </button>
  ) : null;
  return (
    <Picker
      label={t('model.label')}
      icon={Cpu}
      value={model ? `${model.provider}${separator}${model.name}` : null}
      shown={model ? modelLabel(model, props.providers, t) : t('model.none')}
      options={optionsOf(props.providers, t)}
      side={props.side ?? 'below'}
      disabled={props.disabled ?? false}
      footer={footer}
      onChoose={(id) => {
        const [provider = '', name = ''] = id.split(separator);
        props.onChoose({ provider, name });
      }}
    />
  );
}
