import { FileText, RefreshCw } from 'lucide-react';
import type { ReactNode } from 'react';
import type { FileChange } from '../../../src-preload/contract';
import { RichText, useText } from '../../messages/use-text';
import { DiffView, useTextDiff } from '../../ui/diff-view';
import { PathText } from '../../ui/path-text';
import './file-changes.css';

/** States whose texts are there to be compared. */
const compared = ['new', 'changed', 'deleted'] as const;
type Compared = (typeof compared)[number];
const isCompared = (state: FileChange['state']): state is Compared =>
  (compared as readonly string[]).includes(state);

function FileHead(props: { readonly change: FileChange; readonly words: readonly string[] }): ReactNode {
  const { path, real_path, state } = props.change;
  // A real path that ends as the named one does says nothing new.
  const elsewhere = real_path !== null && !real_path.endsWith(path.replace(/^\.\//, ''));
  return (
    <header className="file-head">
      <FileText size={14} aria-hidden />
      <b className="break">
        <PathText path={path} />
      </b>
      {elsewhere ? (
        <span className="file-elsewhere break">
          <RichText message="file.real_path" slots={{ path: <PathText key="path" path={real_path} /> }} />
        </span>
      ) : null}
      <span className={`file-words ${state}`}>{props.words.join(' · ')}</span>
    </header>
  );
}

function ComparedFile({ change }: { readonly change: FileChange }): ReactNode {
  const { t } = useText();
  const diff = useTextDiff(change.before, change.after);
  const state = change.state as Compared;
  const words = [
    t(`file.state.${state}`),
    ...(diff.added > 0 ? [t('file.lines_added', { count: diff.added })] : []),
    ...(diff.removed > 0 ? [t('file.lines_removed', { count: diff.removed })] : []),
  ];
  return (
    <>
      <FileHead change={change} words={words} />
      <DiffView diff={diff} />
    </>
  );
}

function OtherFile({ change }: { readonly change: FileChange }): ReactNode {
  const { t } = useText();
  const words = t(`file.state.${change.state}`);
  if (change.state === 'same') return <FileHead change={change} words={[words]} />;
  return (
    <>
      <FileHead change={change} words={[]} />
      <p className={change.state === 'does_not_fit' ? 'file-note bad' : 'file-note'}>{words}</p>
    </>
  );
}

/** Files as they are against files as they would be, each with its difference line by line. */
export function FileChanges(props: {
  readonly changes: readonly FileChange[];
  readonly onAgain: () => void;
}): ReactNode {
  const { t } = useText();
  return (
    <div className="file-changes">
      {props.changes.length === 0 ? <p className="file-note">{t('file.none')}</p> : null}
      {props.changes.map((change, index) => (
        <section key={index} aria-label={change.path}>
          {isCompared(change.state) ? <ComparedFile change={change} /> : <OtherFile change={change} />}
        </section>
      ))}
      <p className="file-foot">
        {t('file.now')}{' '}
        <button type="button" className="link-button" onClick={props.onAgain}>
          <RefreshCw size={12} aria-hidden /> {t('request.read_again')}
        </button>
      </p>
    </div>
  );
}
