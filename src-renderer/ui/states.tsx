import { LoaderCircle } from 'lucide-react';
import type { ReactNode } from 'react';
import type { Failure } from '../../src-preload/contract';
import { useText } from '../messages/use-text';
import type { IconType } from './buttons';
import { FailureNote } from './failure-note';
import './states.css';

export function LoadingNote({ label }: { readonly label?: string }): ReactNode {
  const { t } = useText();
  return (
    <p className="loading-note" role="status">
      <LoaderCircle size={16} className="spin" aria-hidden />
      {label ?? t('common.loading')}
    </p>
  );
}

export function EmptyNote(props: {
  readonly icon: IconType;
  readonly title: string;
  readonly children?: ReactNode;
}): ReactNode {
  const Icon = props.icon;
  return (
    <div className="empty-note">
      <span className="empty-icon">
        <Icon size={22} aria-hidden />
      </span>
      <p className="empty-title">{props.title}</p>
      {props.children}
    </div>
  );
}

type Loaded<T> =
  | { readonly status: 'loading' }
  | { readonly status: 'failed'; readonly error: Failure }
  | { readonly status: 'ready'; readonly value: T };

/** One of three: on its way, refused with a way to try again, or here. */
export function Load<T>(props: {
  readonly from: Loaded<T>;
  readonly retry: () => void;
  readonly children: (value: T) => ReactNode;
}): ReactNode {
  const { t } = useText();
  switch (props.from.status) {
    case 'loading':
      return <LoadingNote />;
    case 'failed':
      return (
        <FailureNote failure={props.from.error}>
          <button type="button" className="button small" onClick={props.retry}>
            {t('common.try_again')}
          </button>
        </FailureNote>
      );
    case 'ready':
      return props.children(props.from.value);
  }
}
