import fc from 'fast-check';
import { expect, it } from 'vitest';
import { argumentForm } from './argument-form';

it('shows a move as from and to', () => {
  expect(argumentForm('files.move_file', 'plain', { source: 'a.txt', destination: 'b/a.txt' })).toEqual({
    type: 'moves',
    moves: [{ from: 'a.txt', to: 'b/a.txt' }],
    rest: {},
  });
});

it('keeps what a move has besides its two ends', () => {
  expect(
    argumentForm('files.move_file', 'plain', { source: 'a', destination: 'b', overwrite: true }),
  ).toMatchObject({ rest: { overwrite: true } });
});

it('puts whom a message reaches before what it says', () => {
  const form = argumentForm('chat.post', 'message', {
    text: 'Hello',
    footer: 'x',
    to: ['#a', '#b'],
    silent: true,
  });
  expect(form).toEqual({
    type: 'fields',
    first: [
      ['to', '#a, #b'],
      ['text', 'Hello'],
      ['footer', 'x'],
    ],
    rest: { silent: true },
  });
});

it('says when there is nothing', () => {
  expect(argumentForm('a.b', 'plain', {})).toEqual({ type: 'none' });
});

it('leaves no argument out, whatever the tool is called and whatever it is given', () => {
  const given = fc.dictionary(
    fc.constantFrom('source', 'destination', 'from', 'to', 'path', 'text', 'moves', 'other'),
    fc.oneof(
      fc.string(),
      fc.boolean(),
      fc.array(fc.string()),
      fc.record({ from: fc.string(), to: fc.string(), x: fc.string() }),
    ),
  );
  fc.assert(
    fc.property(given, fc.constantFrom('files.move_file', 'chat.post', 'x.rename'), (value, name) => {
      const form = argumentForm(name, name === 'chat.post' ? 'message' : 'plain', value);
      if (form.type === 'none') return Object.keys(value).length === 0;
      const shown =
        form.type === 'fields' ? [...form.first.map(([key]) => key), ...Object.keys(form.rest)].sort() : null;
      if (shown) return JSON.stringify(shown) === JSON.stringify(Object.keys(value).sort());
      const text = JSON.stringify(form);
      return Object.values(value).every(
        (one) => typeof one !== 'string' || text.includes(JSON.stringify(one)),
      );
    }),
  );
});
