import { Gauge } from 'lucide-react';
import type { ReactNode } from 'react';
import type { Effort } from '../../src-preload/contract';
import { useText } from '../messages/use-text';
import { Picker } from './picker';

const ownDefault = 'default';

/** How long the model may think; for models that take such a setting. */
export function EffortPicker(props: {
  readonly efforts: readonly Effort[];
  readonly effort: Effort | null;
  readonly onChoose: (effort: Effort | null) => void;
  readonly side?: 'above' | 'below';
}): ReactNode {
  const { t } = useText();
  const { efforts, effort } = props;
  return (
    <Picker
      label={t('effort.label')}
      icon={Gauge}
      value={effort ?? ownDefault}
      shown={t(effort === null ? 'effort.default' : `effort.${effort}`)}
      options={[
        { id: ownDefault, label: t('effort.default'), detail: t('effort.default.detail') },
        ...efforts.map((id) => ({ id, label: t(`effort.${id}`), detail: t(`effort.${id}.detail`) })),
      ]}
      side={props.side ?? 'below'}
      onChoose={(id) => props.onChoose(efforts.find((known) => known === id) ?? null)}
    />
  );
}
