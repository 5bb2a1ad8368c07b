import { renderToStaticMarkup } from 'react-dom/server';
import { beforeAll, describe, expect, it } from 'vitest';
import { startMessages } from '../../messages/use-text';
import { createAppState } from '../../state/app-state';
import { AppContext } from '../../state/use-app';
import { Markdown } from './markdown';

beforeAll(async () => {
  Object.assign(globalThis, { document: { documentElement: {} } });
  await startMessages('en');
});

const app = createAppState({
  gateway: {
    command: () => Promise.reject(new Error('not used')),
    query: () => Promise.reject(new Error('not used')),
    onPush: () => () => undefined,
  },
});
const draw = (text: string): string =>
  renderToStaticMarkup(
    <AppContext value={app}>
      <Markdown text={text} />
    </AppContext>,
  );

describe('a model’s text', () => {
  it.each([
    '<script>alert(1)</script>',
    '<img src=x onerror=alert(1)>',
    '<svg/onload=alert(1)>',
    '<iframe src="javascript:alert(1)"></iframe>',
    '<a href="javascript:alert(1)">x</a>',
    '[x](javascript:alert(1))',
    '[x](data:text/html;base64,PHNjcmlwdD4=)',
    '![x](javascript:alert(1))',
    '```"><img src=x onerror=alert(1)>\ncode\n```',
    '<style>*{display:none}</style>',
    '<math><mtext><script>alert(1)</script></mtext></math>',
    '<form action=https://evil.example><button>Allow once</button></form>',
    '<details open ontoggle=alert(1)>',
  ])('becomes no markup of its own: %s', (text) => {
    const html = draw(text);
    expect(html).not.toMatch(/<(script|img|svg(?! xmlns)|iframe|style|form|math|object|embed|a)\b/i);
    expect(html).not.toMatch(/<[^>]*\s(on\w+|href|src|style)=/i);
  });

  it('keeps good links without an address that the page could follow', () => {
    const html = draw('[notes](https://example.com/x)');
    expect(html).toContain('role="link"');
    expect(html).not.toContain('href');
  });

  it('says from where a picture would have come, and does not load it', () => {
    expect(draw('![chart](https://tracker.example/a.png)')).toContain('from tracker.example, not loaded');
  });

  it('shows hidden characters in running text and in code', () => {
    expect(draw('notes\u202Efdp.exe')).toContain('U+202E');
    expect(draw('```\nrm\u200B -rf\n```')).toContain('U+200B');
  });

  it('draws tables, tasks and highlighted code', () => {
    expect(draw('| a |\n|---|\n| b |')).toContain('<table>');
    expect(draw('- [x] done')).toContain('type="checkbox"');
    expect(draw('```ts\nconst a = 1;\n```')).toContain('hljs-keyword');
  });
});
