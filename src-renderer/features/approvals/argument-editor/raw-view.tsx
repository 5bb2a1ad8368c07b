import { useId, type ReactNode } from 'react';
import { useText } from '../../../messages/use-text';
import { VisibleText } from '../../../ui/visible-text';
import { hidesSomething } from './escape-hidden';
import { HiddenNote } from './hidden-note';
import { rawProblemWords } from './problem-words';
import type { RawProblem } from './raw-json';

/** The arguments as text. */
export function RawView(props: {
  readonly text: string;
  readonly problem: RawProblem | null;
  readonly onWrite: (text: string) => void;
}): ReactNode {
  const { t } = useText();
  const id = useId();
  const { text, problem } = props;
  const hidden = hidesSomething(text);
  const said = [problem ? `${id}-problem` : '', hidden ? `${id}-hidden` : ''].filter((one) => one !== '');
  return (
    <div className="field">
      <label htmlFor={id}>{t('editing.raw.label')}</label>
      <textarea
        id={id}
        className="input mono editing-raw"
        spellCheck={false}
        autoComplete="off"
        rows={6}
        value={text}
        aria-invalid={problem !== null}
        aria-describedby={said.length === 0 ? undefined : said.join(' ')}
        onChange={(event) => props.onWrite(event.target.value)}
      />
      {problem ? (
        <div className="field-error" id={`${id}-problem`}>
          <p>{rawProblemWords(problem, t)}</p>
          {problem.near === '' ? null : (
            <p className="mono break">
              <VisibleText text={t('editing.raw.near', { near: problem.near })} />
            </p>
          )}
        </div>
      ) : null}
      <HiddenNote id={`${id}-hidden`} text={text} />
    </div>
  );
}
