import { CircleHelp, GitBranch } from 'lucide-react';
import { useMemo, type ReactNode } from 'react';
import type { SessionView } from '../../../src-preload/contract';
import { useText } from '../../messages/use-text';
import { useActions } from '../../state/use-app';
import { unknownElsewhere, type Look } from './use-look';
import './look-bar.css';

/** Says that another version is read than the one that goes on, and leads back to it. */
function AwayBar(props: {
  readonly look: Look;
  /** Nothing runs: the version that is read can become the one that goes on. */
  readonly idle: boolean;
  readonly onBack: () => void;
}): ReactNode {
  const { t } = useText();
  const actions = useActions();
  const { view } = props.look;
  const select = (): void => {
    if (view.head) void actions.selectBranch(view.session_id, view.head.data);
  };
  return (
    <div className="look-bar">
      <GitBranch size={15} aria-hidden />
      <p role="status">{t(props.idle ? 'look.away' : 'look.away_running')}</p>
      <span className="look-buttons">
        {props.idle ? (
          <button type="button" className="button small" onClick={select}>
            {t('look.select')}
          </button>
        ) : null}
        <button type="button" className="button small" onClick={props.onBack}>
          {t('look.back')}
        </button>
      </span>
    </div>
  );
}

/** Leads to calls of unknown outcome that stand in a version which is not read now. */
function UnknownBar({ view }: { readonly view: SessionView }): ReactNode {
  const { t } = useText();
  const actions = useActions();
  const calls = useMemo(() => unknownElsewhere(view), [view]);
  const [first] = calls;
  if (!first) return null;
  return (
    <div className="look-bar unknown">
      <CircleHelp size={15} aria-hidden />
      <p role="status">{t('look.unknown', { count: calls.length })}</p>
      <span className="look-buttons">
        <button
          type="button"
          className="button small"
          onClick={() => actions.point({ type: 'row', ...first })}
        >
          {t('look.show')}
        </button>
      </span>
    </div>
  );
}

/** What stands above the conversation while it does not show everything that the person should know of. */
export function LookBar(props: {
  readonly look: Look;
  readonly idle: boolean;
  readonly onBack: () => void;
}): ReactNode {
  return props.look.away ? <AwayBar {...props} /> : <UnknownBar view={props.look.view} />;
}
