import { useEffect, useLayoutEffect, useState } from 'react';
import { useHost } from './use-app';
import { createClickGuard, type ClickGuard } from './click-guard';

/** The guard of one request. It is armed anew with each change of `key` and each time the window gets the focus. */
export function useClickGuard(key: string): ClickGuard {
  const [guard] = useState(() => createClickGuard({ now: () => performance.now() }));
  const focused = useHost((state) => state.focused);
  useLayoutEffect(() => guard.changed(), [guard, key]);
  useEffect(() => {
    if (focused) guard.focused();
  }, [focused, guard]);
  useEffect(() => {
    const onFocus = (): void => guard.focused();
    window.addEventListener('focus', onFocus);
    return () => window.removeEventListener('focus', onFocus);
  }, [guard]);
  return guard;
}
