import type { ReactNode } from 'react';

/** A filled share of 0 to 1; it turns amber when little is left and red at the end. */
export function ShareBar({ share, label }: { readonly share: number; readonly label: string }): ReactNode {
  const tone = share >= 1 ? 'full' : share >= 0.8 ? 'near' : 'calm';
  return <progress className={`share-bar ${tone}`} value={Math.min(1, share)} max={1} aria-label={label} />;
}
