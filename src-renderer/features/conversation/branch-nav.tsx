import { ChevronLeft, ChevronRight } from 'lucide-react';
import { useLayoutEffect, useRef, type ReactNode } from 'react';
import { useText } from '../../messages/use-text';
import type { BranchPlace } from './turn-places';
import type { Direction, Steps } from './use-look';

const icons = { previous: ChevronLeft, next: ChevronRight } as const;

/** Goes on where the step before left off: the same place on the screen, the same button under the keyboard. */
function useArrival(turnId: string, steps: Steps) {
  const root = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const arrival = steps.arrived(turnId);
    const element = root.current;
    if (!arrival || !element) return;
    const scroller = element.closest('.conversation-scroll');
    if (scroller) scroller.scrollTop += element.getBoundingClientRect().top - arrival.top;
    element.scrollIntoView({ block: 'nearest' });
    if (document.activeElement !== document.body) return;
    element
      .querySelector<HTMLElement>(`[data-direction="${arrival.direction}"]`)
      ?.focus({ preventScroll: true });
  }, [turnId, steps]);
  return root;
}

/** Looks at the branches beside a turn, one after the other. */
export function BranchNav(props: {
  readonly turnId: string;
  readonly branch: BranchPlace;
  readonly steps: Steps;
}): ReactNode {
  const { t } = useText();
  const { branch, steps } = props;
  const root = useArrival(props.turnId, steps);
  // At either end the button stays, so that the keyboard keeps its place.
  const button = (direction: Direction): ReactNode => {
    const target = branch[direction];
    const Icon = icons[direction];
    const label = t(`branch.${direction}`);
    return (
      <button
        type="button"
        className="icon-button small"
        data-direction={direction}
        aria-label={label}
        title={label}
        aria-disabled={target === null}
        onClick={() => {
          if (target !== null && root.current) steps.step(target, direction, root.current);
        }}
      >
        <Icon size={14} aria-hidden />
      </button>
    );
  };
  return (
    <div className="branch-nav" role="group" aria-label={t('branch.label')} ref={root}>
      {button('previous')}
      <span>{t('branch.place', { at: branch.at, total: branch.count })}</span>
      {button('next')}
    </div>
  );
}
