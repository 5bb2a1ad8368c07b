import { TriangleAlert } from 'lucide-react';
import { Component, type ReactNode } from 'react';
import { useText } from '../messages/use-text';
import { EmptyNote } from './states';

function Broken({ retry }: { readonly retry: () => void }): ReactNode {
  const { t } = useText();
  return (
    <div role="alert">
      <EmptyNote icon={TriangleAlert} title={t('broken.title')}>
        <p>{t('broken.detail')}</p>
        <button type="button" className="button" onClick={retry}>
          {t('broken.again')}
        </button>
      </EmptyNote>
    </div>
  );
}

interface Props {
  readonly children: ReactNode;
  /** Another value draws the content anew. */
  readonly resetKey: string;
}

interface State {
  readonly broken: boolean;
}

/** Keeps a defect in one part of the window from taking the others with it. React wants a class here. */
export class ErrorBoundary extends Component<Props, State> {
  override state: State = { broken: false };

  static getDerivedStateFromError(): Partial<State> {
    return { broken: true };
  }

  override componentDidUpdate(before: Props): void {
    if (this.state.broken && before.resetKey !== this.props.resetKey) this.retry();
  }

  private readonly retry = (): void => this.setState({ broken: false });

  override render(): ReactNode {
    return this.state.broken ? <Broken retry={this.retry} /> : this.props.children;
  }
}
