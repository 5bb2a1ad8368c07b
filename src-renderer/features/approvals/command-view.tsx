import { FolderOpen, TriangleAlert } from 'lucide-react';
import { Fragment, type ReactNode } from 'react';
import type { CommandReading, CommandSegment } from '../../../src-preload/contract';
import { RichText, useText } from '../../messages/use-text';
import { PathText } from '../../ui/path-text';
import { VisibleText } from '../../ui/visible-text';
import { markedPlace, segmentParts } from './command-words';
import './command-view.css';

function Code({ text }: { readonly text: string }): ReactNode {
  return (
    <code className="command-word">
      <VisibleText text={text} />
    </code>
  );
}

function Segment({ segment }: { readonly segment: CommandSegment }): ReactNode {
  const { t } = useText();
  const { program, words, settings, via, redirections } = segmentParts(segment);
  return (
    <li className="command-segment">
      {segment.connector === 'first' ? null : (
        <span className="command-connector">{t(`command.after.${segment.connector}`)}</span>
      )}
      <span className="command-words">
        {program === null ? (
          <span className="muted">{t('command.program_none')}</span>
        ) : (
          <strong className="command-program">
            <VisibleText text={program} />
          </strong>
        )}
        {words.map((word, index) => (
          <Fragment key={index}>
            {' '}
            {word === '' ? <i className="muted small">{t('command.empty_word')}</i> : <Code text={word} />}
          </Fragment>
        ))}
      </span>
      {via.length + settings.length + redirections.length === 0 ? null : (
        <span className="command-beside">
          {via.length === 0 ? null : (
            <span>
              <RichText
                message="command.via"
                slots={{ wrappers: <Code key="wrappers" text={via.join(' › ')} /> }}
              />
            </span>
          )}
          {settings.map((setting, index) => (
            <span key={index}>
              <RichText message="command.with" slots={{ setting: <Code key="setting" text={setting} /> }} />
            </span>
          ))}
          {redirections.map(({ kind, operator, target }, index) => (
            <span key={index} className={kind === 'read' || kind === 'merge' ? undefined : 'command-writes'}>
              <RichText
                message={`command.redirect.${kind}`}
                slots={{
                  target: <Code key="target" text={target} />,
                  operator: <Code key="operator" text={operator} />,
                }}
              />
            </span>
          ))}
        </span>
      )}
    </li>
  );
}

function RawText({ reading }: { readonly reading: CommandReading }): ReactNode {
  const { t } = useText();
  const [before, place, after] =
    reading.type === 'uninspectable' ? markedPlace(reading.text, reading.at) : [reading.text, '', ''];
  return (
    <pre className="command-raw" aria-label={t('command.raw')}>
      <VisibleText text={before} />
      {place === '' ? null : (
        <mark className="command-place">
          <VisibleText text={place} />
        </mark>
      )}
      <VisibleText text={after} />
    </pre>
  );
}

/** A command as a shell would read it, step by step, or why nobody can tell; its text always stands below, whole. */
export function CommandView(props: {
  readonly reading: CommandReading;
  readonly folder: string | null;
}): ReactNode {
  const { t } = useText();
  const { reading, folder } = props;
  return (
    <div className="command-view">
      {reading.type === 'uninspectable' ? (
        <p className="request-warning command-unread">
          <TriangleAlert size={15} aria-hidden />
          <span>
            <RichText
              message="command.uninspectable"
              slots={{ reason: <VisibleText key="reason" text={reading.reason} /> }}
            />{' '}
            {reading.at[1] > reading.at[0] ? t('command.place') : null}
          </span>
        </p>
      ) : (
        <ol className="command-segments" aria-label={t('command.parts')}>
          {reading.segments.map((segment, index) => (
            <Segment key={index} segment={segment} />
          ))}
        </ol>
      )}
      <RawText reading={reading} />
      <p className="command-folder">
        <FolderOpen size={14} aria-hidden />
        <span className="break">
          {folder === null ? (
            t('command.folder_unknown')
          ) : (
            <RichText
              message="command.folder"
              slots={{
                folder: (
                  <b key="folder">
                    <PathText path={folder} />
                  </b>
                ),
              }}
            />
          )}
        </span>
      </p>
    </div>
  );
}
