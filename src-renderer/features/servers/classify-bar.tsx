import { TriangleAlert } from 'lucide-react';
import { useId, useState, type ReactNode } from 'react';
import type { Failure, Result, ServerTool } from '../../../src-preload/contract';
import { useText, type MessageKey, type Text } from '../../messages/use-text';
import { FailureNote } from '../../ui/failure-note';
import { splitName } from '../../ui/tool-sentence';
import { VisibleText } from '../../ui/visible-text';
import { saysItWrites } from './tool-hints';
import type { PersonsWord } from './use-server-tools';

const words = {
  read: 'read',
  write: 'write',
  exec: 'exec',
  unvetted: null,
} as const satisfies Record<string, PersonsWord>;

export type WordName = keyof typeof words;

const labels: Readonly<Record<WordName, MessageKey>> = {
  read: 'server_tools.class.read',
  write: 'server_tools.class.write',
  exec: 'server_tools.class.exec',
  unvetted: 'server_tools.class.default',
};

/** What was set, and for how many tools. */
export interface ClassifyDone {
  readonly what: MessageKey;
  readonly count: number;
}

/** So many names are written out in a warning. */
const namedTools = 6;

/** What has to be known before these tools are called read only; null where their server says nothing against it. */
export function readWarning(tools: readonly ServerTool[], t: Text): string | null {
  const found = tools.filter(({ hints }) => saysItWrites(hints));
  if (found.length === 0) return null;
  const names = found
    .slice(0, namedTools)
    .map(({ qualified_name }) => splitName(qualified_name).local)
    .join(', ');
  const rest = found.length - namedTools;
  const named = rest > 0 ? t('server_tools.warn_more', { tools: names, count: rest }) : names;
  return t('server_tools.warn', { tools: named, count: found.length });
}

function Choice(props: {
  readonly chosen: WordName | null;
  readonly onChoose: (word: WordName) => void;
}): ReactNode {
  const { t } = useText();
  const id = useId();
  return (
    <fieldset className="segmented classify-choice" aria-label={t('server_tools.counts_as')}>
      {(Object.keys(words) as WordName[]).map((word) => (
        <label key={word}>
          <input
            type="radio"
            name={id}
            checked={props.chosen === word}
            onChange={() => props.onChoose(word)}
          />
          {t(labels[word])}
        </label>
      ))}
    </fieldset>
  );
}

function Consequence(props: { readonly chosen: WordName; readonly tools: readonly ServerTool[] }): ReactNode {
  const { t } = useText();
  const warning = props.chosen === 'read' ? readWarning(props.tools, t) : null;
  return (
    <div className="classify-means" role="status">
      <p>{t(`server_tools.means.${props.chosen}`)}</p>
      {warning === null ? null : (
        <p className="tool-hidden break">
          <TriangleAlert size={14} aria-hidden />
          <span>
            <VisibleText text={warning} />
          </span>
        </p>
      )}
    </div>
  );
}

/** What the selected tools are to count as: chosen first, with what it means, then set. */
export function ClassifyBar(props: {
  readonly tools: readonly ServerTool[];
  /** Selected tools that the filter hides. */
  readonly unseen: number;
  readonly classify: (said: PersonsWord) => Promise<Result<null>>;
  readonly onDone: (done: ClassifyDone) => void;
  readonly onClear: () => void;
}): ReactNode {
  const { t } = useText();
  const { tools, unseen, classify, onDone } = props;
  const [chosen, setChosen] = useState<WordName | null>(null);
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<Failure | null>(null);
  const idle = chosen === null || busy;
  const apply = (): void => {
    if (chosen === null || busy) return;
    setBusy(true);
    void classify(words[chosen]).then((result) => {
      setBusy(false);
      setError(result.ok ? null : result.error);
      if (result.ok) onDone({ what: labels[chosen], count: tools.length });
    });
  };
  return (
    <section className="card classify-bar" aria-label={t('server_tools.bar')}>
      <div className="classify-line">
        <strong>{t('server_tools.selected', { count: tools.length })}</strong>
        {unseen > 0 ? (
          <span className="classify-unseen">{t('server_tools.selected_hidden', { count: unseen })}</span>
        ) : null}
        <button type="button" className="link-button small" onClick={props.onClear}>
          {t('server_tools.clear')}
        </button>
      </div>
      <div className="classify-line">
        <span className="field-label" aria-hidden>
          {t('server_tools.counts_as')}
        </span>
        <Choice chosen={chosen} onChoose={setChosen} />
      </div>
      {chosen === null ? null : <Consequence chosen={chosen} tools={tools} />}
      <button type="button" className="button primary classify-apply" aria-disabled={idle} onClick={apply}>
        {busy ? t('server_tools.applying') : t('server_tools.apply', { count: tools.length })}
      </button>
      {error ? <FailureNote failure={error} announce /> : null}
    </section>
  );
}
