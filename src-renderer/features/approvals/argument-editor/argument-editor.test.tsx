import { renderToStaticMarkup } from 'react-dom/server';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import type { JsonObject, JsonSchema } from '../../../../src-preload/contract';
import { startMessages, type Text } from '../../../messages/use-text';
import { en } from '../../../messages/en';
import { ArgumentChanges } from './argument-changes';
import { ArgumentEditor } from './argument-editor';
import type { Verdict } from './check-value';
import { draftOf } from './draft';
import { placedProblems } from './form-view';
import { problemWords, rawProblemWords } from './problem-words';
import { RawView } from './raw-view';

beforeAll(async () => {
  Object.assign(globalThis, { document: { documentElement: {} } });
  await startMessages('en');
});

const t: Text = (key, values = {}) =>
  Object.entries(values).reduce<string>(
    (text, [name, value]) => text.replaceAll(`{{${name}}}`, String(value)),
    en[key as keyof typeof en],
  );
const draw = (schema: JsonSchema, value: JsonObject): string =>
  renderToStaticMarkup(
    <ArgumentEditor schema={schema} value={value} onChange={() => undefined} onCancel={() => undefined} />,
  );

const mail = {
  type: 'object',
  required: ['to', 'body'],
  properties: {
    urgent: { type: 'boolean', default: true },
    body: { type: 'string', description: 'What it says' },
    retries: { type: 'integer', default: 3, minimum: 0 },
    to: { type: 'array', items: { type: 'string', format: 'email' } },
  },
};

/** The ids that a control names, each with the text of the element that has it. */
function describedBy(html: string, value: string): string[] {
  const control =
    new RegExp(`<(?:input|textarea)[^>]*?(?:value="${value}"[^>]*>|>${value}<)`).exec(html)?.[0] ?? '';
  const ids = /aria-describedby="([^"]*)"/.exec(control)?.[1]?.split(' ') ?? [];
  return ids.map((id) => new RegExp(`id="${id}"[^>]*>(.*?)</(?:div|p)>`).exec(html)?.[1] ?? 'MISSING');
}

describe('the form with which arguments are edited', () => {
  it('field report 27: has whom it reaches and what it says first, each control with a label of its own', () => {
    const html = draw(mail, { retries: 1, body: 'Hello', to: ['ann@example.org'] });
    const places = ['Item 1', '>body', '>urgent', '>retries'].map((word) => html.indexOf(word));
    expect(places).toEqual([...places].sort((a, b) => a - b));
    expect(Math.min(...places)).toBeGreaterThan(-1);
    const controls = [...html.matchAll(/<(?:input|textarea|select)[^>]*? id="([^"]+)"/g)].map(
      (match) => match[1],
    );
    expect(controls.length).toBeGreaterThanOrEqual(4);
    for (const id of controls) expect(html).toContain(`for="${id}"`);
  });

  it('fills nothing in: what the schema calls default stands in no control', () => {
    const html = draw(mail, { to: [], body: '' });
    expect(html).not.toMatch(/value="3"/);
    expect(html).toMatch(/<option value="-1" selected="">Leave out<\/option>/);
  });

  it('ties what is wrong to the control it is said of', () => {
    const html = draw(mail, { to: ['nobody'], body: 'Hello', retries: -1 });
    expect(describedBy(html, 'nobody')[0]).toContain('The text has to be written as email.');
    expect(describedBy(html, '-1')[0]).toContain('The number has to be at least 0.');
    expect(describedBy(html, 'Hello')).toEqual(['What it says']);
    expect(html).toContain('2 things do not fit the description of the tool yet.');
  });

  it('points out hidden characters beside the control, which cannot mark them', () => {
    const html = draw(mail, { to: [], body: 'total\u202egpj.exe' });
    expect(html).toContain('1 hidden character is in this text:');
    expect(html).toContain('U+202E');
    expect(draw(mail, { to: [], body: 'plain' })).not.toContain('hidden character');
  });

  it.each<[string, JsonSchema, JsonObject]>([
    ['refers to another place', { $ref: 'https://example.org/a' }, { a: 1 }],
    ['too large', { description: 'x'.repeat(70_000) }, { a: 1 }],
    ['too many fields', {}, { a: Array.from({ length: 500 }, (_, at) => at) }],
  ])(
    'is not there, and the text is, where the schema or the value does not allow one: %s',
    (words, schema, value) => {
      const html = draw(schema, value);
      expect(html).toContain(words);
      expect(html).toContain('Arguments as JSON');
      expect(html).not.toContain('type="radio"');
    },
  );

  it('draws any schema without a word on the console', () => {
    const error = vi.spyOn(console, 'error').mockImplementation(() => undefined);
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => undefined);
    const odd: readonly JsonSchema[] = [
      {},
      { properties: { a: true, b: false, c: {} } },
      { properties: { a: { anyOf: [{ type: 'string' }, { type: 'object' }] } } },
      { properties: { a: { type: 'array', items: [{ type: 'string' }], additionalItems: false } } },
      { properties: { a: { format: 'data-url', type: 'string', enum: ['x'] } } },
      { type: 'string' },
      { oneOf: [{ properties: { a: {} } }, { properties: { b: {} } }] },
      { additionalProperties: { type: 'number' } },
    ];
    for (const schema of odd) {
      for (const value of [{}, { a: 'x', b: 1, c: null }, { a: ['x', 1, {}], d: { e: [[]] } }]) {
        expect(draw(schema, value)).toContain('editing-form');
      }
    }
    expect(error).not.toHaveBeenCalled();
    expect(warn).not.toHaveBeenCalled();
  });
});

describe('what is reported of a draft', () => {
  const fine: Verdict = { problems: [], complete: true };
  const given = {
    view: 'form',
    value: { a: 1 },
    rawProblem: null,
    unread: new Map(),
    verdict: fine,
    t,
  } as const;
  const rawProblem = { kind: 'comma_expected', line: 2, column: 5, near: '"b"' } as const;

  it('field report 26: is valid with its value, or invalid with what has to be put right', () => {
    expect(draftOf(given)).toEqual({ state: 'valid', value: { a: 1 }, problems: [] });
    const misfit: Verdict = { problems: [{ path: '/b', keyword: 'required', wanted: null }], complete: true };
    expect(draftOf({ ...given, verdict: misfit })).toEqual({
      state: 'invalid',
      value: { a: 1 },
      problems: [{ path: '/b', message: 'This is needed.' }],
    });
  });

  it('has no value while the text or a field means nothing', () => {
    expect(draftOf({ ...given, view: 'raw', rawProblem })).toEqual({
      state: 'invalid',
      value: null,
      problems: [{ path: '', message: 'Line 2, column 5: a comma is missing.' }],
    });
    const unread = new Map([['x', { path: '/a', message: 'This is not a number.' }]]);
    const misfit: Verdict = { problems: [{ path: '/a', keyword: 'minimum', wanted: 5 }], complete: true };
    expect(draftOf({ ...given, unread, verdict: misfit })).toEqual({
      state: 'invalid',
      value: null,
      problems: [{ path: '/a', message: 'This is not a number.' }],
    });
  });

  it('stands at the nearest field that is drawn', () => {
    const places = new Set(['', '/a']);
    const at = (path: string) => placedProblems([{ path, message: 'x' }], places)[0]?.path;
    expect([at('/a/b/0'), at('/c'), at(''), at('/a')]).toEqual(['/a', '', '', '/a']);
  });
});

describe('words about a problem', () => {
  it('say what is wanted, cut short and with nothing hidden in it', () => {
    expect(problemWords({ path: '', keyword: 'type', wanted: ['string', 'null'] }, t)).toBe(
      'This has to be text or nothing (null).',
    );
    expect(problemWords({ path: '', keyword: 'const', wanted: 'a\u202eb' }, t)).toBe(
      'Only a\\u202eb may stand here.',
    );
    expect(problemWords({ path: '', keyword: 'pattern', wanted: 'x'.repeat(500) }, t).length).toBeLessThan(
      140,
    );
    expect(problemWords({ path: '', keyword: 'somethingNew', wanted: null }, t)).toBe(
      'This does not fit the description of the tool.',
    );
  });

  it('exist for every way in which a text cannot be read', () => {
    const kinds = Object.keys(en).filter((key) => /^editing\.raw\.[a-z]+_|\.empty$/.test(key));
    expect(kinds.length).toBeGreaterThan(10);
    expect(rawProblemWords({ kind: 'not_closed', line: 3, column: 1, near: '' }, t)).toBe(
      'Line 3, column 1: a bracket was opened and not closed.',
    );
  });

  it('are tied to the text they are about', () => {
    const problem = { kind: 'duplicate_key', line: 2, column: 3, near: '"a"' } as const;
    const html = renderToStaticMarkup(<RawView text="{}" problem={problem} onWrite={() => undefined} />);
    const id = /aria-describedby="([^"]+)"/.exec(html)?.[1] ?? 'none';
    expect(html).toContain(`id="${id}"`);
    expect(html).toContain('Line 2, column 3: this name is there twice');
    expect(html).toContain('Here: &quot;a&quot;');
  });
});

describe('what a person changed', () => {
  const changes = (before: JsonObject, after: JsonObject): string =>
    renderToStaticMarkup(<ArgumentChanges before={before} after={after} />);

  it('is said of texts word by word, in words too and not by colour alone', () => {
    const html = changes({ body: 'See you Monday', n: 1 }, { body: 'See you Tuesday', n: 1 });
    expect(html).toMatch(/<del[^>]*><span class="visually-hidden"> \[removed: <\/span>Monday/);
    expect(html).toMatch(/<ins[^>]*><span class="visually-hidden"> \[added: <\/span>Tuesday/);
    expect(html).toContain('/body');
    expect(html).not.toContain('/n');
  });

  it('is said of all else with both values', () => {
    const html = changes({ n: 1, gone: true, list: ['a'] }, { n: 2, list: ['a', 'b'] });
    expect(html).toContain('Proposed');
    expect(html).toContain('Edited');
    for (const path of ['/n', '/gone', '/list']) expect(html).toContain(path);
    expect(html).toContain('not there');
  });

  it('marks hidden characters, also those that were only taken out', () => {
    expect(changes({ a: 'x\u200by z' }, { a: 'xy z' })).toContain('U+200B');
  });

  it('is nothing where nothing is changed', () => {
    expect(changes({ a: 1, b: 2 }, { b: 2, a: 1 })).toContain('Nothing is changed.');
  });
});
