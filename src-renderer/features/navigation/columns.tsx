import { useCallback, type ReactNode } from 'react';
import { useText } from '../../messages/use-text';
import { columnLimits, defaultLayout } from '../../state/layout';
import { useActions, useUi } from '../../state/use-app';
import { useMedia } from '../../state/use-window';
import { Splitter } from '../../ui/splitter';

export interface Columns {
  readonly leftShown: boolean;
  readonly rightShown: boolean;
  readonly toggle: (side: 'left' | 'right') => void;
  readonly narrow: { readonly left: boolean; readonly right: boolean };
}

/** Which of the outer columns are shown; in a narrow window they lie over the middle. */
export function useColumns(): Columns {
  const actions = useActions();
  const layout = useUi((state) => state.layout);
  const drawer = useUi((state) => state.drawer);
  const narrowLeft = useMedia('(max-width: 719px)');
  const narrowRight = useMedia('(max-width: 1079px)');
  const toggle = useCallback(
    (side: 'left' | 'right') => actions.toggleColumn(side, side === 'left' ? narrowLeft : narrowRight),
    [actions, narrowLeft, narrowRight],
  );
  return {
    leftShown: narrowLeft ? drawer === 'left' : layout.left.open,
    rightShown: narrowRight ? drawer === 'right' : layout.right.open,
    toggle,
    narrow: { left: narrowLeft, right: narrowRight },
  };
}

export function ColumnSplitter({ side }: { readonly side: 'left' | 'right' }): ReactNode {
  const { t } = useText();
  const actions = useActions();
  const width = useUi((state) => state.layout[side].width);
  return (
    <Splitter
      side={side}
      label={t(`columns.resize_${side}`)}
      width={width}
      {...columnLimits[side]}
      initial={defaultLayout[side].width}
      onResize={(next) => actions.resize(side, next)}
    />
  );
}
