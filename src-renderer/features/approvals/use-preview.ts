import { useEffect, useState } from 'react';
import type { ArgumentPattern, LastingScope, ScopePreview } from '../../../src-preload/contract';
import { loadableOf, type Loadable } from '../../state/host-store';
import { useApp } from '../../state/use-app';

/** Milliseconds without another choice before main is asked. */
const settleFor = 250;

export interface PreviewWanted {
  readonly session_id: string;
  readonly approval_id: string;
  readonly scope: LastingScope;
  readonly pattern: ArgumentPattern;
}

/** What a wider scope would have covered; null asks nothing. An answer to a former question is dropped. */
export function usePreview(wanted: PreviewWanted | null): {
  readonly state: Loadable<ScopePreview>;
  again(): void;
} {
  const { gateway } = useApp();
  const [state, setState] = useState<Loadable<ScopePreview>>({ status: 'loading' });
  const [asked, setAsked] = useState(0);
  const key = wanted === null ? null : JSON.stringify(wanted);
  useEffect(() => {
    if (key === null) return;
    let gone = false;
    setState({ status: 'loading' });
    const timer = setTimeout(() => {
      void gateway.query('approval.preview', JSON.parse(key) as never).then((result) => {
        if (!gone) setState(loadableOf(result));
      });
    }, settleFor);
    return () => {
      gone = true;
      clearTimeout(timer);
    };
  }, [gateway, key, asked]);
  return { state, again: () => setAsked((known) => known + 1) };
}
