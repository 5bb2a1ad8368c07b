import { Bot, FolderOpen, X } from 'lucide-react';
import { useMemo, type ReactNode } from 'react';
import type { CoworkerCard } from '../../../src-preload/contract';
import { useText } from '../../messages/use-text';
import { valueOr, type Sessions } from '../../state/host-store';
import { isUsable, listedSessions } from '../../state/selectors';
import { useActions, useHost, useUi } from '../../state/use-app';
import { IconButton } from '../../ui/buttons';
import { CoworkerIcon } from '../../ui/coworker-icon';
import { Picker } from '../../ui/picker';
import { EmptyNote, Load } from '../../ui/states';
import { VisibleText } from '../../ui/visible-text';
import './coworkers.css';

const none: Sessions = new Map();
const recentFolders = 6;

function Card(props: {
  readonly coworker: CoworkerCard;
  readonly chosen: boolean;
  readonly onChoose: () => void;
}): ReactNode {
  const { t } = useText();
  const { coworker } = props;
  const usable = isUsable(coworker);
  return (
    <label className={usable ? 'card coworker-card' : 'card coworker-card broken'}>
      <input
        type="radio"
        name="coworker"
        checked={props.chosen}
        disabled={!usable}
        onChange={props.onChoose}
      />
      <CoworkerIcon id={coworker.id} icon={coworker.icon} large />
      <span className="card-text">
        <strong>
          <VisibleText text={coworker.name} />
        </strong>
        <span className="muted">
          {usable ? <VisibleText text={coworker.tagline} /> : t('coworker.broken')}
        </span>
        <span className="muted small">{t('coworker.tools', { count: coworker.tools.length })}</span>
      </span>
    </label>
  );
}

function useKnownFolders(): readonly string[] {
  const sessions = useHost((state) => valueOr(state.sessions, none));
  const folders = useUi((state) => state.folders);
  return useMemo(() => {
    const used = listedSessions(sessions, { archived: false, search: '' }).map(
      (session) => session.workspace,
    );
    return [...new Set([...folders, ...used])].filter((path) => path !== null).slice(0, recentFolders);
  }, [sessions, folders]);
}

function FolderChoice(): ReactNode {
  const { t } = useText();
  const actions = useActions();
  const workspace = useUi((state) => state.newSession.workspace);
  const known = useKnownFolders();
  const pick = async (): Promise<void> => {
    const result = await actions.run('workspace.pick', {});
    if (!result.ok || result.value.path === null) return;
    actions.rememberFolder(result.value.path);
    actions.choose({ workspace: result.value.path });
  };
  const other = '\n';
  return (
    <div className="folder-choice">
      <Picker
        label={t('new.folder')}
        icon={FolderOpen}
        value={workspace}
        shown={workspace ?? t('new.no_folder')}
        options={[
          ...known.map((path) => ({ id: path, label: path })),
          { id: other, label: t('new.other_folder') },
        ]}
        onChoose={(id) => (id === other ? void pick() : actions.choose({ workspace: id }))}
      />
      {workspace === null ? null : (
        <IconButton
          small
          icon={X}
          label={t('new.without_folder')}
          onClick={() => actions.choose({ workspace: null })}
        />
      )}
    </div>
  );
}

/** Choose a coworker and a folder, write the first message. The composer comes from outside. */
export function NewSession(props: {
  readonly coworker: CoworkerCard | null;
  /** The chosen model is the person themselves. */
  readonly practice: boolean;
  readonly composer: ReactNode;
}): ReactNode {
  const { t } = useText();
  const actions = useActions();
  const coworkers = useHost((state) => state.coworkers);
  return (
    <div className="page-scroll">
      <div className="page-inner new-session">
        <header>
          <h1 className="page-title">{t('new.title')}</h1>
          <p className="page-lead">{t('new.lead')}</p>
        </header>
        <Load from={coworkers} retry={() => void actions.reload('coworkers')}>
          {(list) =>
            list.length === 0 ? (
              <EmptyNote icon={Bot} title={t('coworkers.none')}>
                <p>{t('coworkers.none.detail')}</p>
              </EmptyNote>
            ) : (
              <fieldset className="coworker-cards">
                <legend className="visually-hidden">{t('new.coworker')}</legend>
                {list.map((coworker) => (
                  <Card
                    key={coworker.id}
                    coworker={coworker}
                    chosen={coworker.id === props.coworker?.id}
                    onChoose={() => actions.choose({ coworker_id: coworker.id, mode: null })}
                  />
                ))}
              </fieldset>
            )
          }
        </Load>
        <div className="new-folder">
          <FolderChoice />
          <span className="muted small">{t('new.folder.detail')}</span>
        </div>
        {props.composer}
        {props.practice ? <p className="muted small">{t('practice.explained')}</p> : null}
      </div>
    </div>
  );
}
