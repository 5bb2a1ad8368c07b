import { ChevronLeft, ChevronRight } from 'lucide-react';
import type { ReactNode } from 'react';
import { useText } from '../../messages/use-text';
import { useActions } from '../../state/use-app';
import { IconButton } from '../../ui/buttons';
import type { BranchPlace } from './turn-places';

/** Looks at the branches beside a turn, one after the other. */
export function BranchNav(props: {
  readonly sessionId: string;
  readonly branch: BranchPlace;
  /** While a turn runs, the branch stays. */
  readonly disabled: boolean;
}): ReactNode {
  const { t } = useText();
  const actions = useActions();
  const { at, count, previous, next } = props.branch;
  const go = (turnId: string | null): void => {
    if (turnId !== null) void actions.selectBranch(props.sessionId, turnId);
  };
  return (
    <div className="branch-nav" role="group" aria-label={t('branch.label')}>
      <IconButton
        small
        icon={ChevronLeft}
        label={t('branch.previous')}
        disabled={props.disabled || previous === null}
        onClick={() => go(previous)}
      />
      <span>{t('branch.place', { at, total: count })}</span>
      <IconButton
        small
        icon={ChevronRight}
        label={t('branch.next')}
        disabled={props.disabled || next === null}
        onClick={() => go(next)}
      />
    </div>
  );
}
