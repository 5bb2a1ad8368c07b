import { PanelLeft, PanelRight, Search, ShieldOff } from 'lucide-react';
import type { ReactNode } from 'react';
import type { SessionView } from '../../../src-preload/contract';
import { useText } from '../../messages/use-text';
import { useActions } from '../../state/use-app';
import { IconButton } from '../../ui/buttons';
import { baseName } from '../../ui/tool-sentence';
import { VisibleText } from '../../ui/visible-text';
import './session-head.css';

export interface ColumnToggles {
  readonly leftShown: boolean;
  readonly rightShown: boolean;
  readonly toggle: (side: 'left' | 'right') => void;
}

/** The bar above the middle column; `columns` opens the outer ones. */
export function PageBar(props: {
  readonly columns: ColumnToggles;
  readonly withRight: boolean;
  readonly children?: ReactNode;
}): ReactNode {
  const { t } = useText();
  const { leftShown, rightShown, toggle } = props.columns;
  return (
    <header className={props.children ? 'page-bar' : 'page-bar bare'}>
      <IconButton
        icon={PanelLeft}
        label={t(leftShown ? 'columns.hide_left' : 'columns.show_left')}
        pressed={leftShown}
        onClick={() => toggle('left')}
      />
      <div className="page-bar-middle">{props.children}</div>
      {props.withRight ? (
        <IconButton
          icon={PanelRight}
          label={t(rightShown ? 'columns.hide_right' : 'columns.show_right')}
          pressed={rightShown}
          onClick={() => toggle('right')}
        />
      ) : null}
    </header>
  );
}

export function SessionHead({ view }: { readonly view: SessionView }): ReactNode {
  const { t } = useText();
  const actions = useActions();
  const title = view.title?.data ?? '';
  return (
    <>
      <h1 className="session-name truncate" title={title}>
        <VisibleText text={title} />
      </h1>
      {view.coworker ? (
        <span className="tag head-tag">
          <VisibleText text={`${view.coworker.name} ${view.coworker.version}`.trim()} />
        </span>
      ) : null}
      {view.workspace === null ? null : (
        <span className="tag head-tag" title={view.workspace}>
          <VisibleText text={baseName(view.workspace)} />
        </span>
      )}
      <span className="head-gap" />
      <IconButton icon={Search} label={t('find.open')} onClick={actions.openFind} />
    </>
  );
}

/** Stands for as long as nobody is asked. */
export function BypassWarning(props: { readonly onAsk: () => void }): ReactNode {
  const { t } = useText();
  return (
    <p className="bypass-warning">
      <ShieldOff size={15} aria-hidden />
      <span>{t('mode.bypass.warning')}</span>
      <button type="button" className="link-button" onClick={props.onAsk}>
        {t('mode.bypass.leave')}
      </button>
    </p>
  );
}
