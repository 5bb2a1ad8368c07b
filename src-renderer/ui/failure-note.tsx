import { CircleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import type { Failure } from '../../src-preload/contract';
import { hasMessage, useText, type Text } from '../messages/use-text';
import { VisibleText } from './visible-text';
import './failure-note.css';

/** What kind of failure it was, in the person's language. The message itself says object, place and remedy. */
export function failureTitle(failure: Failure, t: Text): string {
  const key = `failure.${failure.code}`;
  return hasMessage(key) ? t(key) : t('failure.other');
}

export function FailureNote(props: {
  readonly failure: Failure;
  readonly children?: ReactNode;
  readonly announce?: boolean;
  /** Something that was dealt with: said, but not cried out. */
  readonly quiet?: boolean;
}): ReactNode {
  const { t } = useText();
  return (
    <div
      className={props.quiet ? 'failure-note quiet' : 'failure-note'}
      role={props.announce ? 'alert' : undefined}
    >
      <CircleAlert size={16} aria-hidden />
      <div className="failure-body">
        <p className="failure-title">{failureTitle(props.failure, t)}</p>
        <p className="failure-message break">
          <VisibleText text={props.failure.message} />
        </p>
        {props.children}
      </div>
    </div>
  );
}
