import { TriangleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import { useText } from '../../messages/use-text';
import { isUsable } from '../../state/selectors';
import { useActions, useHost, useUi } from '../../state/use-app';
import { CoworkerIcon } from '../../ui/coworker-icon';
import { Load } from '../../ui/states';
import { VisibleText } from '../../ui/visible-text';

/** The coworkers, in the left column. */
export function CoworkerList(): ReactNode {
  const { t } = useText();
  const actions = useActions();
  const coworkers = useHost((state) => state.coworkers);
  const page = useUi((state) => state.page);
  return (
    <section aria-label={t('coworkers.title')}>
      <h2 className="side-heading">{t('coworkers.title')}</h2>
      <Load from={coworkers} retry={() => void actions.reload('coworkers')}>
        {(list) =>
          list.length === 0 ? (
            <p className="side-note">{t('coworkers.none')}</p>
          ) : (
            <ul>
              {list.map((coworker) => (
                <li key={coworker.id}>
                  <button
                    type="button"
                    className="side-row"
                    aria-current={
                      page.type === 'coworker' && page.coworker_id === coworker.id ? 'page' : undefined
                    }
                    onClick={() => actions.goTo({ type: 'coworker', coworker_id: coworker.id })}
                  >
                    <CoworkerIcon id={coworker.id} icon={coworker.icon} />
                    <span className="truncate">
                      <VisibleText text={coworker.name} />
                    </span>
                    {isUsable(coworker) ? null : (
                      <span className="row-warning" title={t('coworker.broken')}>
                        <TriangleAlert size={14} aria-hidden />
                        <span className="visually-hidden">{t('coworker.broken')}</span>
                      </span>
                    )}
                  </button>
                </li>
              ))}
            </ul>
          )
        }
      </Load>
    </section>
  );
}
