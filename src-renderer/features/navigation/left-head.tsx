import { Plus } from 'lucide-react';
import type { ReactNode } from 'react';
import { useText } from '../../messages/use-text';
import { useActions, useHost, useUi } from '../../state/use-app';

/** The name of the app and the way to a new session. */
export function LeftHead(): ReactNode {
  const { t } = useText();
  const actions = useActions();
  const page = useUi((state) => state.page.type);
  const mac = useHost((state) => state.info.status === 'ready' && state.info.value.platform === 'darwin');
  return (
    <div className="left-head">
      <div className="brand">
        <span className="brand-mark" aria-hidden>
          W
        </span>
        OpenWorker
      </div>
      <button
        type="button"
        className="button new-button"
        aria-current={page === 'new' ? 'page' : undefined}
        aria-keyshortcuts="Control+N"
        onClick={() => actions.goTo({ type: 'new' })}
      >
        <Plus size={16} aria-hidden />
        {t('nav.new')}
        <kbd className="kbd" aria-hidden>
          {mac ? '⌘' : t('key.control')} N
        </kbd>
      </button>
    </div>
  );
}
