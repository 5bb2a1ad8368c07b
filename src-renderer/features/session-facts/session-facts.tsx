import { useEffect, useMemo, useState, type ReactNode } from 'react';
import {
  emptyMeter,
  type ExecutionIdentity,
  type Failure,
  type IdentityPart,
  type SessionView,
  type ToolFacts,
} from '../../../src-preload/contract';
import { useText } from '../../messages/use-text';
import { listOf } from '../../state/host-store';
import { latestStartedTurn, sessionChoices, withSummary } from '../../state/selectors';
import type { OpenSession } from '../../state/session-store';
import { useActions, useApp, useHost } from '../../state/use-app';
import { CopyButton } from '../../ui/buttons';
import { FailureNote } from '../../ui/failure-note';
import { modelLabel } from '../../ui/model-picker';
import { PathText } from '../../ui/path-text';
import { LoadingNote } from '../../ui/states';
import { VisibleText } from '../../ui/visible-text';
import { GrantsPanel } from './grants-panel';
import { LiveFactsPanel } from './live-facts-panel';
import { Panel } from './panel';
import { ScreenshotPanel } from './screenshot-panel';
import { UsagePanel } from './usage-panel';
import './session-facts.css';

const identityParts: readonly IdentityPart[] = ['bundle', 'policies', 'registry', 'native', 'app'];

/** Short forms of what runs here; the parts are folded. */
function Identity({ identity }: { readonly identity: ExecutionIdentity }): ReactNode {
  const { t } = useText();
  const actions = useActions();
  const [open, setOpen] = useState(false);
  return (
    <>
      <span className="identity">
        <code className="mono" title={identity.digest}>
          {identity.digest.slice(0, 8)}
        </code>
        <CopyButton text={identity.digest} label={t('facts.copy_identity')} copy={actions.copy} />
        <button
          type="button"
          className="link-button small"
          aria-expanded={open}
          onClick={() => setOpen(!open)}
        >
          {t('identity.parts')}
        </button>
      </span>
      {open ? (
        <dl className="identity-parts">
          {identityParts.map((part) => (
            <div key={part}>
              <dt>{t(`identity.part.${part}`)}</dt>
              <dd>
                <code className="mono">{identity.parts[part]?.slice(0, 8) ?? t('identity.none')}</code>
              </dd>
            </div>
          ))}
        </dl>
      ) : null}
    </>
  );
}

function ThisSession({ view, identity }: Pick<OpenSession, 'view' | 'identity'>): ReactNode {
  const { t } = useText();
  const providers = useHost((state) => listOf(state.providers));
  const { coworker } = view;
  const { model, mode } = sessionChoices(view);
  return (
    <Panel title={t('facts.session')}>
      <dl className="fact-list">
        <dt>{t('facts.coworker')}</dt>
        <dd>
          {coworker ? (
            <VisibleText text={`${coworker.name} ${coworker.version}`.trim()} />
          ) : (
            t('common.unknown')
          )}
        </dd>
        <dt>{t('facts.folder')}</dt>
        <dd className="break">
          {view.workspace === null ? t('facts.no_folder') : <PathText path={view.workspace} />}
        </dd>
        <dt>{t('facts.model')}</dt>
        <dd className="break">
          {model ? <VisibleText text={modelLabel(model, providers, t)} /> : t('common.unknown')}
        </dd>
        <dt>{t('facts.mode')}</dt>
        <dd>{mode ? t(`mode.${mode}`) : t('common.unknown')}</dd>
        <dt>{t('facts.identity')}</dt>
        <dd>
          {identity ? (
            <Identity identity={identity} />
          ) : coworker && coworker.bundle_digest !== '' ? (
            <code className="mono" title={coworker.bundle_digest}>
              {coworker.bundle_digest.slice(0, 8)}
            </code>
          ) : (
            t('common.unknown')
          )}
        </dd>
      </dl>
    </Panel>
  );
}

type Tools =
  | { readonly status: 'loading' }
  | { readonly status: 'failed'; readonly error: Failure }
  | { readonly status: 'ready'; readonly tools: readonly ToolFacts[] };

/** What the latest turn fixed; before the first turn, what main says the coworker would get. */
function useTools(view: SessionView): Tools {
  const { gateway } = useApp();
  const fixed = useMemo(() => latestStartedTurn(view)?.started?.data.tools ?? null, [view]);
  const [asked, setAsked] = useState<Tools>({ status: 'loading' });
  const needed = fixed === null;
  useEffect(() => {
    if (!needed) return;
    let gone = false;
    setAsked({ status: 'loading' });
    void gateway.query('session.tools', { session_id: view.session_id }).then((result) => {
      if (gone) return;
      setAsked(
        result.ok ? { status: 'ready', tools: result.value } : { status: 'failed', error: result.error },
      );
    });
    return () => {
      gone = true;
    };
  }, [gateway, needed, view.session_id]);
  return fixed === null ? asked : { status: 'ready', tools: fixed };
}

function ToolsInUse({ view }: { readonly view: SessionView }): ReactNode {
  const { t } = useText();
  const tools = useTools(view);
  const note =
    tools.status === 'ready' ? { note: t('facts.tools_count', { count: tools.tools.length }) } : {};
  return (
    <Panel title={t('facts.tools')} {...note}>
      {tools.status === 'loading' ? <LoadingNote /> : null}
      {tools.status === 'failed' ? <FailureNote failure={tools.error} /> : null}
      {tools.status === 'ready' && tools.tools.length === 0 ? (
        <p className="muted">{t('facts.no_tools')}</p>
      ) : null}
      {tools.status === 'ready' ? (
        <ul className="tool-list">
          {tools.tools.map((tool) => (
            <li key={tool.qualified_name}>
              <code className="mono break">
                <VisibleText text={tool.qualified_name} />
              </code>
              <span className="muted">
                {t(`placement.${tool.placement}`)} · {t(`classification.${tool.classification}`)}
              </span>
            </li>
          ))}
        </ul>
      ) : null}
    </Panel>
  );
}

/** What is true of the open session now. */
export function SessionFacts({ open }: { readonly open: OpenSession }): ReactNode {
  const id = open.view.session_id;
  const summary = useHost((state) =>
    state.sessions.status === 'ready' ? (state.sessions.value.get(id) ?? null) : null,
  );
  const view = useMemo(() => withSummary(open.view, summary), [open.view, summary]);
  return (
    <div className="session-facts">
      <ScreenshotPanel view={view} />
      <ThisSession view={view} identity={open.identity} />
      <UsagePanel view={view} meter={summary?.meter ?? emptyMeter} />
      <LiveFactsPanel view={view} />
      <ToolsInUse view={view} />
      <GrantsPanel view={view} />
    </div>
  );
}
