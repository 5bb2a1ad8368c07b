import { TriangleAlert } from 'lucide-react';
import { Fragment, memo, useMemo, useState, type ReactNode } from 'react';
import type { ServerTool } from '../../../src-preload/contract';
import { formatDay } from '../../messages/format-date';
import { useText } from '../../messages/use-text';
import { FailureNote } from '../../ui/failure-note';
import { cutAt } from '../../ui/long-text';
import { countHidden } from '../../ui/mark-hidden';
import { splitName } from '../../ui/tool-sentence';
import { VisibleText } from '../../ui/visible-text';
import { isUsable, toolClass, type ToolClass } from './listed-tools';
import { hintWords, saysItWrites } from './tool-hints';

/** Longer descriptions are folded, in UTF-16 units. */
const foldedLength = 220;

const tone: Readonly<Record<ToolClass, string>> = {
  read: 'good',
  write: 'running',
  exec: 'bad',
  external: 'neutral',
  unvetted: 'neutral',
};

function Description({ text }: { readonly text: string }): ReactNode {
  const { t } = useText();
  const [open, setOpen] = useState(false);
  const hidden = useMemo(() => countHidden(text), [text]);
  if (text.trim() === '') return <p className="muted">{t('server_tools.no_description')}</p>;
  const long = text.length > foldedLength;
  const shown = long && !open ? `${text.slice(0, cutAt(text, foldedLength)).trimEnd()}…` : text;
  return (
    <>
      {hidden > 0 ? (
        <p className="tool-hidden">
          <TriangleAlert size={14} aria-hidden />
          {t('server_tools.hidden', { count: hidden })}
        </p>
      ) : null}
      <p className="tool-description break">
        <VisibleText text={shown} />{' '}
        {long ? (
          <button type="button" className="link-button" aria-expanded={open} onClick={() => setOpen(!open)}>
            {t(open ? 'server_tools.less' : 'server_tools.more')}
          </button>
        ) : null}
      </p>
    </>
  );
}

function Says({ tool }: { readonly tool: ServerTool }): ReactNode {
  const { t } = useText();
  const words = hintWords(tool.hints);
  if (words.length === 0) return null;
  return (
    <p className="muted small">
      {t('server_tools.says')} {words.map((word) => t(word)).join(', ')}
    </p>
  );
}

/** How models get the tool, where any of them gets it in another form than its author wrote. */
function Fits({ tool }: { readonly tool: ServerTool }): ReactNode {
  const { t } = useText();
  const adapted = tool.fits.filter(({ adaptations }) => adaptations.length > 0);
  if (adapted.length === 0) return null;
  return (
    <details className="tool-fits small">
      <summary className="muted">
        {t('server_tools.adapted', { models: adapted.map(({ family }) => t(`family.${family}`)).join(', ') })}
      </summary>
      <dl>
        {adapted.map(({ family, adaptations }) => (
          <Fragment key={family}>
            <dt>{t(`family.${family}`)}</dt>
            <dd>{adaptations.map((one) => t(`server_tools.fit.${one}`)).join('; ')}</dd>
          </Fragment>
        ))}
      </dl>
      <p className="muted">{t('server_tools.fit.checked')}</p>
    </details>
  );
}

/** What the tool counts as, and who said so. */
function ClassWords({ tool }: { readonly tool: ServerTool }): ReactNode {
  const { t, language } = useText();
  const counts = toolClass(tool);
  const said = tool.classified_at;
  return (
    <span className="tool-class">
      <span className={`chip tone-${tone[counts]}`}>{t(`server_tools.class.${counts}`)}</span>
      <span className="muted small">
        {said === null
          ? t('server_tools.by.host')
          : t('server_tools.by.person', { date: formatDay(said, language) })}
      </span>
    </span>
  );
}

function Name({ tool }: { readonly tool: ServerTool }): ReactNode {
  const { local } = splitName(tool.qualified_name);
  return (
    <span className="tool-name">
      <code className="break">
        <VisibleText text={local} />
      </code>
      {tool.title === undefined || tool.title === local ? null : (
        <span className="muted break">
          <VisibleText text={tool.title} />
        </span>
      )}
    </span>
  );
}

function UsableTool({ tool }: { readonly tool: ServerTool }): ReactNode {
  const { t } = useText();
  const stillAsked = toolClass(tool) === 'read' && saysItWrites(tool.hints);
  return (
    <>
      <div className="tool-head">
        <Name tool={tool} />
        <ClassWords tool={tool} />
      </div>
      {stillAsked ? (
        <p className="tool-hidden">
          <TriangleAlert size={14} aria-hidden />
          {t('server_tools.still_asked')}
        </p>
      ) : null}
      <Description text={tool.description} />
      <Says tool={tool} />
      <Fits tool={tool} />
    </>
  );
}

/** One tool of a server. Its tick is a checkbox; `range` is true where Shift is held. */
export const ToolRow = memo(function ToolRow(props: {
  readonly tool: ServerTool;
  readonly selected: boolean;
  readonly onSelect: (name: string, range: boolean) => void;
}): ReactNode {
  const { t } = useText();
  const { tool, selected, onSelect } = props;
  const name = tool.qualified_name;
  if (!isUsable(tool)) {
    return (
      <li className="server-tool unusable">
        <span />
        <div className="tool-body">
          <div className="tool-head">
            <Name tool={tool} />
            <span className="chip tone-bad">{t('server_tools.unusable')}</span>
          </div>
          {tool.problem ? <FailureNote failure={tool.problem} quiet /> : null}
        </div>
      </li>
    );
  }
  return (
    <li className={selected ? 'server-tool selected' : 'server-tool'}>
      <input
        type="checkbox"
        className="tool-check"
        aria-label={t('server_tools.select', { tool: name })}
        checked={selected}
        onChange={(event) => onSelect(name, (event.nativeEvent as MouseEvent).shiftKey)}
      />
      <div className="tool-body">
        <UsableTool tool={tool} />
      </div>
    </li>
  );
});
