import { useEffect, useMemo, useState, type ReactNode } from 'react';
import type { Failure, SessionView, ToolFacts } from '../../../src-preload/contract';
import { formatNumber } from '../../messages/format';
import { useText } from '../../messages/use-text';
import { listOf } from '../../state/host-store';
import { latestStartedTurn, tokenTotals } from '../../state/selectors';
import { useActions, useApp, useHost } from '../../state/use-app';
import { CopyButton } from '../../ui/buttons';
import { FailureNote } from '../../ui/failure-note';
import { modelLabel } from '../../ui/model-picker';
import { PathText } from '../../ui/path-text';
import { LoadingNote } from '../../ui/states';
import { VisibleText } from '../../ui/visible-text';
import './session-facts.css';

function Panel(props: {
  readonly title: string;
  readonly note?: string;
  readonly children: ReactNode;
}): ReactNode {
  return (
    <section className="card fact-card">
      <header>
        <h2>{props.title}</h2>
        {props.note === undefined ? null : <span>{props.note}</span>}
      </header>
      {props.children}
    </section>
  );
}

function ThisSession({ view }: { readonly view: SessionView }): ReactNode {
  const { t } = useText();
  const actions = useActions();
  const providers = useHost((state) => listOf(state.providers));
  const { coworker, model, mode } = view;
  return (
    <Panel title={t('facts.session')}>
      <dl className="fact-list">
        <dt>{t('facts.coworker')}</dt>
        <dd>
          {coworker ? <VisibleText text={`${coworker.name} ${coworker.version}`} /> : t('common.unknown')}
        </dd>
        <dt>{t('facts.folder')}</dt>
        <dd className="break">
          {view.workspace === null ? t('facts.no_folder') : <PathText path={view.workspace} />}
        </dd>
        <dt>{t('facts.model')}</dt>
        <dd className="break">
          {model ? <VisibleText text={modelLabel(model.data, providers, t)} /> : t('common.unknown')}
        </dd>
        <dt>{t('facts.mode')}</dt>
        <dd>{mode ? t(`mode.${mode.data}`) : t('common.unknown')}</dd>
        <dt>{t('facts.identity')}</dt>
        <dd className="identity">
          {coworker ? (
            <>
              <code className="mono">{coworker.bundle_digest.slice(0, 8)}</code>
              <CopyButton
                text={coworker.bundle_digest}
                label={t('facts.copy_identity')}
                copy={actions.copy}
              />
            </>
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

function Grants({ view }: { readonly view: SessionView }): ReactNode {
  const { t } = useText();
  return (
    <Panel title={t('facts.grants')} note={t('facts.grants_count', { count: view.grants.length })}>
      {view.grants.length === 0 ? (
        <p className="muted">{t('facts.no_grants')}</p>
      ) : (
        <ul className="tool-list">
          {view.grants.map((grant) => (
            <li key={grant.data.grant_id}>
              <code className="mono break">
                <VisibleText text={grant.data.qualified_name} />
              </code>
              <span className="muted">{t('facts.grant_until')}</span>
            </li>
          ))}
        </ul>
      )}
    </Panel>
  );
}

function Usage({ view }: { readonly view: SessionView }): ReactNode {
  const { t, language } = useText();
  const totals = useMemo(() => tokenTotals(view), [view]);
  return (
    <Panel title={t('facts.usage')}>
      {totals.responses === 0 ? (
        <p className="muted">{t('facts.no_usage')}</p>
      ) : totals.unreported === totals.responses ? null : (
        <dl className="fact-list">
          <dt>{t('facts.tokens_in')}</dt>
          <dd>{formatNumber(totals.input, language)}</dd>
          <dt>{t('facts.tokens_out')}</dt>
          <dd>{formatNumber(totals.output, language)}</dd>
        </dl>
      )}
      {totals.unreported > 0 ? (
        <p className="muted small">{t('facts.unreported', { count: totals.unreported })}</p>
      ) : null}
    </Panel>
  );
}

/** What is true of the open session now. */
export function SessionFacts({ view }: { readonly view: SessionView }): ReactNode {
  return (
    <div className="session-facts">
      <ThisSession view={view} />
      <ToolsInUse view={view} />
      <Grants view={view} />
      <Usage view={view} />
    </div>
  );
}
