import { app, nativeImage, Notification, powerMonitor, type BrowserWindow } from 'electron';
import type { Harness } from '../harness';
import { startAttention } from './attention';
import type { AttentionTarget } from './attention-plan';
import { createSystemNotices, type SystemNotices } from './system-notices';
import type { Words } from './words';

export interface SystemAttention {
  /** Follows the focus of a window that is new, and shows the count on it. */
  watch(window: BrowserWindow): void;
  close(): void;
}

function isPresent(window: BrowserWindow | null): boolean {
  if (!window || window.isDestroyed()) return false;
  return window.isFocused() && window.isVisible() && !window.isMinimized();
}

/** Notifications, badge and taskbar of this system, for the window of this app. */
export function startSystemAttention(deps: {
  readonly harness: Harness;
  readonly window: () => BrowserWindow | null;
  readonly words: () => Words;
  readonly open: (target: AttentionTarget | null) => void;
  readonly log: (line: string) => void;
}): SystemAttention {
  const live = (): BrowserWindow | null => {
    const window = deps.window();
    return window?.isDestroyed() ? null : window;
  };
  let notices: SystemNotices | null = null;
  const attention = startAttention({
    harness: deps.harness,
    present: () => isPresent(deps.window()),
    idleMs: () => powerMonitor.getSystemIdleTime() * 1_000,
    open: deps.open,
    surface: (events) =>
      (notices = createSystemNotices(
        {
          platform: process.platform,
          Notification,
          app,
          imageOf: (pixels, side) =>
            nativeImage.createFromBitmap(Buffer.from(pixels), { width: side, height: side }),
          window: live,
          words: deps.words,
          log: deps.log,
        },
        events,
      )),
    clock: {
      now: () => performance.now(),
      after(ms, run) {
        const timer = setTimeout(run, ms);
        return () => clearTimeout(timer);
      },
    },
  });
  return {
    watch(window) {
      const look = (): void => attention.look();
      window.on('focus', look).on('blur', look);
      window.on('show', look).on('hide', look);
      window.on('minimize', look).on('restore', look);
      window.on('closed', look);
      notices?.dress();
      look();
    },
    close: () => attention.close(),
  };
}
