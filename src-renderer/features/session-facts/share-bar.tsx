import type { ReactNode } from 'react';

/** A filled share of 0 to 1. At the end it turns amber, as everything that waits for the person. */
export function ShareBar({ share, label }: { readonly share: number; readonly label: string }): ReactNode {
  const look = share >= 1 ? 'share-bar full' : 'share-bar';
  return <progress className={look} value={Math.min(1, share)} max={1} aria-label={label} />;
}
