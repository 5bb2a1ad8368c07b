import type { ReactNode } from 'react';
import { useText, type MessageKey } from '../../messages/use-text';
import { useActions } from '../../state/use-app';
import { Dialog } from '../../ui/dialog';
import './shortcuts.css';

type Key = 'Mod' | (string & {});

const groups: readonly {
  readonly title: MessageKey;
  readonly keys: readonly { readonly keys: readonly Key[]; readonly what: MessageKey }[];
}[] = [
  {
    title: 'shortcuts.everywhere',
    keys: [
      { keys: ['Mod', 'N'], what: 'shortcuts.new' },
      { keys: ['Mod', 'F'], what: 'shortcuts.find' },
      { keys: ['Mod', ','], what: 'shortcuts.settings' },
      { keys: ['Mod', 'B'], what: 'shortcuts.left' },
      { keys: ['Mod', 'I'], what: 'shortcuts.right' },
      { keys: ['Mod', '/'], what: 'shortcuts.list' },
    ],
  },
  {
    title: 'shortcuts.session',
    keys: [
      { keys: ['F6'], what: 'shortcuts.request' },
      { keys: ['Enter'], what: 'shortcuts.send' },
      { keys: ['Mod', 'Enter'], what: 'shortcuts.steer' },
      { keys: ['Shift', 'Enter'], what: 'shortcuts.newline' },
      { keys: ['@'], what: 'shortcuts.mention' },
      { keys: ['Mod', '.'], what: 'shortcuts.stop' },
    ],
  },
  {
    title: 'shortcuts.list_title',
    keys: [
      { keys: ['F2'], what: 'shortcuts.rename' },
      { keys: ['Delete'], what: 'shortcuts.delete' },
    ],
  },
];

export function ShortcutsDialog({ mac }: { readonly mac: boolean }): ReactNode {
  const { t } = useText();
  const actions = useActions();
  return (
    <Dialog title={t('shortcuts.title')} onClose={() => actions.setDialog('none')}>
      <div className="shortcut-groups">
        {groups.map((group) => (
          <section key={group.title}>
            <h3 className="side-heading">{t(group.title)}</h3>
            <dl>
              {group.keys.map(({ keys, what }) => (
                <div key={what} className="shortcut">
                  <dt>{t(what)}</dt>
                  <dd>
                    {keys.map((key) => (
                      <kbd key={key} className="kbd">
                        {key === 'Mod' ? (mac ? '⌘' : t('key.control')) : key}
                      </kbd>
                    ))}
                  </dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </div>
    </Dialog>
  );
}
