import { Shield, ShieldAlert, ShieldOff } from 'lucide-react';
import type { ReactNode } from 'react';
import type { Mode } from '../../src-preload/contract';
import { useText } from '../messages/use-text';
import { Picker } from './picker';

const modes: readonly Mode[] = ['ask', 'read_only', 'bypass'];

export function ModePicker(props: {
  readonly mode: Mode;
  readonly onChoose: (mode: Mode) => void;
  readonly side?: 'above' | 'below';
}): ReactNode {
  const { t } = useText();
  const icon = props.mode === 'bypass' ? ShieldOff : props.mode === 'ask' ? Shield : ShieldAlert;
  return (
    <Picker
      label={t('mode.label')}
      icon={icon}
      value={props.mode}
      shown={t(`mode.${props.mode}`)}
      tone={props.mode === 'bypass' ? 'warning' : 'plain'}
      options={modes.map((mode) => ({
        id: mode,
        label: t(`mode.${mode}`),
        detail: t(`mode.${mode}.detail`),
      }))}
      side={props.side ?? 'below'}
      onChoose={(id) => {
        const mode = modes.find((known) => known === id);
        if (mode) props.onChoose(mode);
      }}
    />
  );
}
