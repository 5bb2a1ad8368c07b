import { renderToStaticMarkup } from 'react-dom/server';
import { beforeAll, describe, expect, it } from 'vitest';
import i18next from 'i18next';
import { fail, type ServerTool } from '../../../src-preload/contract';
import { startMessages, type Text } from '../../messages/use-text';
import { readWarning } from './classify-bar';
import { ToolRow } from './tool-row';

beforeAll(async () => {
  Object.assign(globalThis, { document: { documentElement: {} } });
  await startMessages('en');
});

const t: Text = (key, values) => i18next.t(key, { ...values }) as string;

function tool(rest: Partial<ServerTool> = {}): ServerTool {
  return {
    qualified_name: 'mail.send',
    description: 'Sends a letter.',
    input_schema: {},
    pin: 'p'.repeat(64),
    classification: 'external',
    classified_by: 'host',
    classified_at: null,
    hints: {},
    fits: [],
    problem: null,
    ...rest,
  };
}

const shown = (rest: Partial<ServerTool>): string =>
  renderToStaticMarkup(<ToolRow tool={tool(rest)} selected={false} onSelect={() => undefined} />);

describe('a tool of a server', () => {
  it('field report 54: says for which models it is adapted and how, and nothing where it is not', () => {
    expect(shown({ fits: [{ family: 'openai', adaptations: [] }] })).not.toContain('Adapted');
    const html = shown({
      fits: [
        { family: 'openai', adaptations: [] },
        { family: 'google', adaptations: ['references_inlined', 'words_dropped'] },
      ],
    });
    expect(html).toContain('Adapted for Google');
    expect(html).toContain(
      'references are replaced by what they point at; rules that these models do not read',
    );
    expect(html).toContain('checked against the schema as its author wrote it');
  });

  it('says what it counts as and who said so', () => {
    expect(shown({})).toContain('asked about by default');
    const vetted = shown({
      classification: 'read',
      classified_by: 'person',
      classified_at: '2026-03-01T12:00:00.000Z',
    });
    expect(vetted).toContain('reads only');
    expect(vetted).toContain('you, Mar 1, 2026');
    expect(vetted).not.toContain('all the same');
  });

  it('field report 37: is said to be asked about where its server says that it writes, though vetted as read', () => {
    const html = shown({ classification: 'read', classified_by: 'person', hints: { readOnlyHint: false } });
    expect(html).toContain('asked about all the same');
    expect(html).toContain('The server says: does more than read');
  });

  it('field report 38: folds a long description and marks what is hidden in it, also in the folded part', () => {
    const html = shown({ description: `${'A long story. '.repeat(40)}\u200bpunch line` });
    expect(html).toContain('Show all of it');
    expect(html).not.toContain('punch line');
    expect(html).toContain('1 hidden character');
    expect(shown({ description: 'a\u202eb' })).toContain('U+202E');
  });

  it('cannot be ticked where it cannot be used, and says why', () => {
    const html = shown({ pin: null, problem: fail('schema_unusable', 'Its schema is no object.').error });
    expect(html).not.toContain('checkbox');
    expect(html).toContain('Its schema is no object.');
  });
});

describe('field report 37: before tools are called read only', () => {
  it('those are named whose server says that they do more', () => {
    expect(readWarning([tool(), tool({ hints: { readOnlyHint: true } })], t)).toBeNull();
    const one = readWarning(
      [tool(), tool({ qualified_name: 'mail.drop', hints: { destructiveHint: true } })],
      t,
    );
    expect(one).toContain('drop does more than read');
    const many = Array.from({ length: 9 }, (_, at) =>
      tool({ qualified_name: `mail.w${at}`, hints: { readOnlyHint: false } }),
    );
    expect(readWarning(many, t)).toContain('9 of these do more than read: w0, w1, w2, w3, w4, w5 and 3 more');
  });
});
