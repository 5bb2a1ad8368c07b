import { Component, type ReactNode } from 'react';

interface Props {
  readonly children: ReactNode;
  readonly onFailure: () => void;
}

/** Hears when the form cannot be drawn. React wants a class here. */
export class FormBoundary extends Component<Props, { readonly failed: boolean }> {
  override state = { failed: false };

  static getDerivedStateFromError(): { readonly failed: boolean } {
    return { failed: true };
  }

  override componentDidCatch(): void {
    this.props.onFailure();
  }

  override render(): ReactNode {
    return this.state.failed ? null : this.props.children;
  }
}
