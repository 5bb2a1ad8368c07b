import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createWireNames } from './wire-names';

const wires = ['anthropic', 'openai-responses', 'openai-chat', 'google', 'compatible'] as const;

describe('names on the wire (C4, field reports 49 and 50)', () => {
  it('leaves a name alone that every provider takes', () => {
    const names = createWireNames(['files__move_file'], 'openai-chat');
    expect(names.toWire('files__move_file')).toBe('files__move_file');
  });

  it('is one to one and within the limit for any set of aliases', () => {
    const alias = fc.oneof(
      fc.stringMatching(/^[A-Za-z0-9_-]{1,80}$/),
      fc
        .stringMatching(/^[A-Za-z0-9_-]{1,80}$/)
        .map((text) => `same_long_start_of_a_name_`.repeat(3).slice(0, 62) + text),
      fc.string({ minLength: 1, maxLength: 80 }),
    );
    fc.assert(
      fc.property(fc.uniqueArray(alias, { maxLength: 30 }), fc.constantFrom(...wires), (aliases, wire) => {
        const names = createWireNames(aliases, wire);
        const sent = aliases.map((one) => names.toWire(one));
        expect(new Set(sent).size).toBe(aliases.length);
        for (const [index, name] of sent.entries()) {
          expect(name).toMatch(
            wire === 'google' ? /^[A-Za-z_][A-Za-z0-9_-]{0,63}$/ : /^[A-Za-z0-9_-]{1,64}$/,
          );
          expect(names.fromWire(name)).toBe(aliases[index]);
        }
      }),
    );
  });

  it('keeps clear of a real name that looks like a shortened one', () => {
    const long = 'x'.repeat(70);
    const short = createWireNames([long], 'compatible').toWire(long);
    const names = createWireNames([long, short], 'compatible');
    expect(names.toWire(short)).toBe(short);
    expect(names.toWire(long)).not.toBe(short);
    expect(names.fromWire(names.toWire(long))).toBe(long);
  });

  it('shortens a name the same way in every request', () => {
    const long = 'files__'.padEnd(80, 'y');
    const others = Array.from({ length: 5 }, (_, index) => `other_${index}`);
    expect(createWireNames([long], 'google').toWire(long)).toBe(
      createWireNames([...others, long], 'google').toWire(long),
    );
  });
});
