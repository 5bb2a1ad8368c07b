import { EventEmitter } from 'node:events';
import type { NativeImage } from 'electron';
import { describe, expect, it } from 'vitest';
import { badgeBitmap, badgeSide } from './badge-image';
import { createSystemNotices, noticeBody } from './system-notices';
import { wordsFor } from './words';

type Options = { title: string; body: string; silent: boolean };

function begin(platform: NodeJS.Platform, given: { supported?: boolean; breaks?: boolean } = {}) {
  const said: unknown[] = [];
  const lines: string[] = [];
  const made: FakeNotice[] = [];
  class FakeNotice extends EventEmitter {
    static isSupported = () => given.supported ?? true;
    constructor(readonly options: Options) {
      super();
      if (given.breaks) throw new Error('no bus');
      made.push(this);
    }
    show(): void {
      said.push(['show', this.options]);
    }
    close(): void {
      said.push(['close', this.options.body]);
      this.emit('close', {});
    }
  }
  const place = { window: true };
  const notices = createSystemNotices(
    {
      platform,
      Notification: FakeNotice as never,
      app: { setBadgeCount: (count) => said.push(['badge', count]) > 0 },
      imageOf: (pixels, side) => ({ pixels: pixels.length, side }) as unknown as NativeImage,
      window: () =>
        place.window
          ? {
              flashFrame: (on) => said.push(['flash', on]),
              setOverlayIcon: (icon, description) => said.push(['overlay', icon, description]),
            }
          : null,
      words: () => wordsFor('en'),
      log: (line) => lines.push(line),
    },
    { clicked: () => said.push(['clicked']), hidden: (id) => said.push(['hidden', id]) },
  );
  return { said, lines, made, notices, place };
}

const one = { requests: 1, ends: [] };
const three = { requests: 3, ends: [] };

describe('a notice', () => {
  it('has the name of the app and a sentence, and the next takes its place', () => {
    const { said, notices } = begin('darwin');
    notices.show(1, one, false);
    notices.show(2, three, true);
    notices.close();
    expect(said).toEqual([
      ['show', { title: 'OpenWorker', body: 'A coworker waits for your answer.', silent: false }],
      ['close', 'A coworker waits for your answer.'],
      ['show', { title: 'OpenWorker', body: '3 requests wait for your answer.', silent: true }],
      ['close', '3 requests wait for your answer.'],
    ]);
  });

  it('tells of a click, and of being put away while it is the one that stands', () => {
    const { said, made, notices } = begin('linux');
    notices.show(1, one, false);
    notices.show(2, three, false);
    made[0]?.emit('close', {});
    made[1]?.emit('close', {});
    made[1]?.emit('click', {});
    expect(said.filter((line) => Array.isArray(line) && ['clicked', 'hidden'].includes(line[0]))).toEqual([
      ['hidden', 2],
      ['clicked'],
    ]);
  });
});

describe('where the system shows no notifications', () => {
  it('the badge and the taskbar go on, and one line is logged', () => {
    const { said, lines, notices } = begin('linux', { supported: false });
    notices.show(1, one, false);
    notices.badge(1);
    notices.show(2, three, false);
    notices.close();
    expect(said).toEqual([
      ['flash', true],
      ['badge', 1],
      ['flash', true],
      ['flash', false],
    ]);
    expect(lines).toEqual([
      'No notification can be shown: this system has no service for it. The window and its badge still count what waits.',
    ]);
  });

  it('a notification that breaks or fails ends nothing else', () => {
    const broken = begin('linux', { breaks: true });
    broken.notices.show(1, one, false);
    broken.notices.badge(1);
    expect(broken.said).toContainEqual(['badge', 1]);
    expect(broken.lines).toEqual([expect.stringContaining('no bus')]);
    const failing = begin('win32');
    failing.notices.show(1, one, false);
    failing.made[0]?.emit('failed', {}, 'not allowed');
    failing.made[0]?.emit('failed', {}, 'not allowed');
    expect(failing.lines).toEqual([expect.stringContaining('not allowed')]);
  });
});

describe('the badge', () => {
  it.each(['darwin', 'linux'] as const)('is the count of the app on %s', (platform) => {
    const { said, notices } = begin(platform);
    notices.badge(7);
    notices.badge(0);
    notices.dress();
    expect(said).toEqual([
      ['badge', 7],
      ['badge', 0],
    ]);
  });

  it('is a picture with words over the taskbar button of Windows, also of a window that comes later', () => {
    const { said, notices, place } = begin('win32');
    place.window = false;
    notices.badge(12);
    expect(said).toEqual([]);
    place.window = true;
    notices.dress();
    notices.badge(1);
    notices.badge(0);
    const picture = { pixels: badgeSide * badgeSide * 4, side: badgeSide };
    expect(said).toEqual([
      ['overlay', picture, '12 things wait for you'],
      ['overlay', picture, '1 thing waits for you'],
      ['overlay', null, ''],
    ]);
  });

  it('comes with a flashing taskbar button while a request is told of, except on macOS', () => {
    const windows = begin('win32');
    windows.notices.show(1, one, false);
    windows.notices.close();
    windows.notices.show(2, { requests: 0, ends: ['done'] }, false);
    expect(windows.said.filter((line) => Array.isArray(line) && line[0] === 'flash')).toEqual([
      ['flash', true],
      ['flash', false],
    ]);
    const mac = begin('darwin');
    mac.notices.show(1, one, false);
    mac.notices.close();
    expect(mac.said).not.toContainEqual(['flash', true]);
  });
});

describe('the picture of the count', () => {
  const inked = (count: number): number => {
    const pixels = badgeBitmap(count);
    let ink = 0;
    for (let at = 0; at < pixels.length; at += 4) if (pixels[at] === 0xff) ink += 1;
    return ink;
  };

  it('shows another figure for each count up to nine, and one for all above', () => {
    const pictures = Array.from({ length: 12 }, (_, at) => Buffer.from(badgeBitmap(at + 1)).toString('hex'));
    expect(new Set(pictures.slice(0, 10)).size).toBe(10);
    expect(new Set(pictures.slice(9)).size).toBe(1);
    for (let count = 1; count <= 10; count += 1) expect(inked(count)).toBeGreaterThan(80);
  });

  it('is a disc: opaque in the middle, clear in the corners', () => {
    const pixels = badgeBitmap(3);
    expect(pixels[3]).toBe(0);
    expect(pixels[(badgeSide * 4 + badgeSide / 2) * 4 + 3]).toBe(0xff);
  });
});

describe('the words of a notice', () => {
  it('say both what waits and what ended', () => {
    expect(noticeBody({ requests: 2, ends: ['failed'] }, wordsFor('en'))).toBe(
      '2 requests wait for your answer. A coworker stopped with an error.',
    );
    expect(noticeBody({ requests: 0, ends: ['done', 'done'] }, wordsFor('en'))).toBe(
      '2 sessions have finished.',
    );
    expect(noticeBody({ requests: 0, ends: ['done', 'failed'] }, wordsFor('en'))).toBe(
      '2 sessions have ended, some with an error or with a question to you.',
    );
    expect(noticeBody({ requests: 1, ends: ['done'] }, wordsFor('de'))).toBe(
      'Ein Coworker wartet auf Ihre Antwort. Ein Coworker ist fertig.',
    );
  });

  it.each(['en', 'de'])('end as a sentence in every case: %s', (language) => {
    for (const ends of [
      ['done'],
      ['failed'],
      ['unknown'],
      ['done', 'done'],
      ['unknown', 'unknown'],
    ] as const) {
      for (const requests of [0, 1, 9]) {
        expect(noticeBody({ requests, ends: [...ends] }, wordsFor(language))).toMatch(/^(\d|[A-Z]).+\.$/);
      }
    }
  });
});
