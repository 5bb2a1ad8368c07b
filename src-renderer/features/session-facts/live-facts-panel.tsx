import { useState, type ReactNode } from 'react';
import { activeTurns, type ModelContextFact, type SessionView } from '../../../src-preload/contract';
import { formatBytes } from '../../messages/format';
import { useText } from '../../messages/use-text';
import { JsonTree } from '../../ui/json-tree';
import { VisibleText } from '../../ui/visible-text';
import { Panel } from './panel';
import { ShareBar } from './share-bar';

/** Bounds of the live facts, in UTF-8 bytes: of one tool, and of all together (S0-07). */
const perTool = 4 * 1024;
const inAll = 16 * 1024;

function LiveFact({ fact }: { readonly fact: ModelContextFact }): ReactNode {
  const { t, language } = useText();
  const [open, setOpen] = useState(false);
  const included = fact.state === 'included';
  return (
    <li>
      <div className="live-fact-head">
        <code className="mono break">
          <VisibleText text={fact.qualified_name} />
        </code>
        <span className="muted">{formatBytes(fact.bytes, language)}</span>
      </div>
      {included ? (
        <ShareBar share={fact.bytes / perTool} label={t('live.share', { tool: fact.qualified_name })} />
      ) : (
        <span className="live-left-out">{t(`live.${fact.state}`)}</span>
      )}
      {fact.facts === undefined ? null : (
        <>
          <button
            type="button"
            className="link-button small"
            aria-expanded={open}
            onClick={() => setOpen(!open)}
          >
            {t(open ? 'live.hide' : 'live.show')}
          </button>
          {open ? <JsonTree value={fact.facts} /> : null}
        </>
      )}
    </li>
  );
}

/** What the tools said of their live state for the latest request; passing, and recorded nowhere (S0-10). */
export function LiveFactsPanel({ view }: { readonly view: SessionView }): ReactNode {
  const { t, language } = useText();
  const context = activeTurns(view).findLast((turn) => turn.context !== null)?.context ?? null;
  if (!context || context.facts.length === 0) return null;
  const note = t('live.total', {
    used: formatBytes(context.bytes, language),
    limit: formatBytes(inAll, language),
  });
  return (
    <Panel title={t('live.title')} note={note}>
      <ShareBar share={context.bytes / inAll} label={t('live.total_label')} />
      <ul className="live-facts">
        {context.facts.map((fact) => (
          <LiveFact key={fact.qualified_name} fact={fact} />
        ))}
      </ul>
    </Panel>
  );
}
