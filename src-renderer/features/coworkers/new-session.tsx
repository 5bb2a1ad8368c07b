import { Bot, FolderOpen, TriangleAlert, X } from 'lucide-react';
import { useMemo, type ReactNode } from 'react';
import type { CoworkerCard, ModelChoice } from '../../../src-preload/contract';
import { useText } from '../../messages/use-text';
import { listOf, valueOr, type Sessions } from '../../state/host-store';
import { isUsable, listedSessions, needsFolder } from '../../state/selectors';
import { useActions, useHost, useUi } from '../../state/use-app';
import { IconButton } from '../../ui/buttons';
import { CoworkerIcon } from '../../ui/coworker-icon';
import { modelLabel } from '../../ui/model-picker';
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

function usePickFolder(): () => Promise<void> {
  const actions = useActions();
  return async () => {
    const result = await actions.run('workspace.pick', {});
    if (!result.ok || result.value.path === null) return;
    actions.rememberFolder(result.value.path);
    actions.choose({ workspace: result.value.path });
  };
}

function FolderChoice(): ReactNode {
  const { t } = useText();
  const actions = useActions();
  const pick = usePickFolder();
  const workspace = useUi((state) => state.newSession.workspace);
  const known = useKnownFolders();
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

/** What the folder is for; a warning when the coworker can do nothing without one. Sending stays possible. */
function FolderNote({ coworker }: { readonly coworker: CoworkerCard | null }): ReactNode {
  const { t } = useText();
  const pick = usePickFolder();
  const workspace = useUi((state) => state.newSession.workspace);
  if (!coworker || !needsFolder(coworker) || workspace !== null) {
    return <span className="muted small">{t('new.folder.detail')}</span>;
  }
  return (
    <p className="new-warning">
      <TriangleAlert size={15} aria-hidden />
      <span>{t('new.folder.needed')}</span>
      <button type="button" className="link-button" onClick={() => void pick()}>
        {t('new.folder.pick')}
      </button>
    </p>
  );
}

/** Says which model stands in for the default one, and why. */
function ReplacedModel(props: { readonly replaced: ModelChoice; readonly model: ModelChoice }): ReactNode {
  const { t } = useText();
  const providers = useHost((state) => listOf(state.providers));
  const provider = providers.find((candidate) => candidate.id === props.replaced.provider);
  return (
    <p className="new-warning" role="status">
      <TriangleAlert size={15} aria-hidden />
      <span>
        {t('new.model_replaced', {
          model: modelLabel(props.replaced, providers, t),
          provider: provider?.label ?? props.replaced.provider,
          other: modelLabel(props.model, providers, t),
        })}
      </span>
    </p>
  );
}

/** Choose a coworker and a folder, write the first message. The composer comes from outside. */
export function NewSession(props: {
  readonly coworker: CoworkerCard | null;
  /** The chosen model is the person themselves. */
  readonly practice: boolean;
  readonly model: ModelChoice;
  /** The default model when it cannot be reached now and `model` stands in for it. */
  readonly replaced: ModelChoice | null;
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
          <FolderNote coworker={props.coworker} />
        </div>
        {props.replaced ? <ReplacedModel replaced={props.replaced} model={props.model} /> : null}
        {props.composer}
        {props.practice ? <p className="muted small">{t('practice.explained')}</p> : null}
      </div>
    </div>
  );
}
