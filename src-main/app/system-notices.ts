import type { App, BrowserWindow, NativeImage, Notification } from 'electron';
import type { AttentionSurface, NoticeEvents } from './attention';
import type { NoticeContent } from './attention-plan';
import { badgeBitmap, badgeSide } from './badge-image';
import type { Words } from './words';

export interface SystemNoticesDeps {
  readonly platform: NodeJS.Platform;
  readonly Notification: {
    new (options: {
      title: string;
      body: string;
      silent: boolean;
    }): Pick<Notification, 'on' | 'show' | 'close'>;
    isSupported(): boolean;
  };
  readonly app: Pick<App, 'setBadgeCount'>;
  readonly imageOf: (pixels: Uint8Array, side: number) => NativeImage;
  readonly window: () => Pick<BrowserWindow, 'flashFrame' | 'setOverlayIcon'> | null;
  readonly words: () => Words;
  readonly log: (line: string) => void;
}

export interface SystemNotices extends AttentionSurface {
  /** Puts the count on a window that is new. */
  dress(): void;
}

const title = 'OpenWorker';

/** The sentences of a notice. What it says of counts and outcomes is all that it knows. */
export function noticeBody({ requests, ends }: NoticeContent, words: Words): string {
  return [
    ...(requests > 0 ? [words.waitsForAnswer(requests)] : []),
    ...(ends.length > 0 ? [words.turnsEnded(ends)] : []),
  ].join(' ');
}

type Shown = InstanceType<SystemNoticesDeps['Notification']>;

function createNotice(deps: SystemNoticesDeps, events: NoticeEvents) {
  let current: Shown | null = null;
  let complained = false;
  const complain = (reason: string): void => {
    if (complained) return;
    complained = true;
    deps.log(`No notification can be shown: ${reason}. The window and its badge still count what waits.`);
  };
  const close = (): void => {
    const former = current;
    current = null;
    former?.close();
  };
  function raise(id: number, body: string, silent: boolean): void {
    const notice = new deps.Notification({ title, body, silent });
    // It must stay in reach: a notice that is collected as garbage hears no click.
    current = notice;
    notice.on('click', () => events.clicked());
    notice.on('close', () => {
      if (current === notice) events.hidden(id);
    });
    notice.on('failed', (_event, reason) => complain(reason));
    notice.show();
  }
  return {
    close,
    show(id: number, body: string, silent: boolean) {
      close();
      if (!deps.Notification.isSupported()) return complain('this system has no service for it');
      try {
        raise(id, body, silent);
      } catch (error) {
        complain(String(error));
      }
    },
  };
}

/** Notifications, badge and flashing of the taskbar, each as the platform has it. */
export function createSystemNotices(deps: SystemNoticesDeps, events: NoticeEvents): SystemNotices {
  const { platform, window } = deps;
  const notice = createNotice(deps, events);
  let count = 0;
  // On macOS flashing is a jump of the icon in the Dock, which the notification's own sound makes needless.
  const flash = (on: boolean): void => {
    if (platform !== 'darwin') window()?.flashFrame(on);
  };
  const dress = (): void => {
    if (platform !== 'win32') return;
    const overlay = count === 0 ? null : deps.imageOf(badgeBitmap(count), badgeSide);
    window()?.setOverlayIcon(overlay, count === 0 ? '' : deps.words().thingsWait(count));
  };
  return {
    dress,
    show(id, content, silent) {
      notice.show(id, noticeBody(content, deps.words()), silent);
      if (content.requests > 0) flash(true);
    },
    close() {
      notice.close();
      flash(false);
    },
    badge(next) {
      count = next;
      if (platform === 'win32') dress();
      else deps.app.setBadgeCount(count);
    },
  };
}
