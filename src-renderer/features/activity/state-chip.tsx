import {
  Ban,
  Check,
  CircleDashed,
  CircleHelp,
  CircleSlash,
  Clock,
  Hand,
  LoaderCircle,
  ShieldX,
  TriangleAlert,
  X,
} from 'lucide-react';
import type { ReactNode } from 'react';
import type { RowState } from '../../../src-preload/contract';
import { useText } from '../../messages/use-text';
import type { IconType } from '../../ui/buttons';
import { rowTone } from './row-state';

const icons: Readonly<Record<RowState, IconType>> = {
  proposed: CircleDashed,
  waiting: Hand,
  running: LoaderCircle,
  completed: Check,
  failed: X,
  rejected: Ban,
  denied: ShieldX,
  expired: Clock,
  cancelled: CircleSlash,
  cancelled_may_have_run: TriangleAlert,
  outcome_unknown: CircleHelp,
};

export function StateChip({ state }: { readonly state: RowState }): ReactNode {
  const { t } = useText();
  const Icon = icons[state];
  return (
    <span className={`chip tone-${rowTone[state]}`}>
      <Icon size={12} aria-hidden {...(state === 'running' ? { className: 'spin' } : {})} />
      {t(`outcome.${state}`)}
    </span>
  );
}
