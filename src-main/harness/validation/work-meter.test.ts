import Ajv2020 from 'ajv/dist/2020';
import { describe, expect, it } from 'vitest';
import { createWorkMeter, TooMuchWork, withPayments } from './work-meter';

/** Code as the engine generates it, before and after. */
function generated(schema: object): { plain: string; paid: string }[] {
  const seen: { plain: string; paid: string }[] = [];
  const process = (plain: string) => {
    seen.push({ plain, paid: withPayments(plain) });
    return plain;
  };
  const options = { strict: false, allErrors: true, ownProperties: true, inlineRefs: false, loopRequired: 2 };
  new Ajv2020({ ...options, meta: false, validateSchema: false, code: { process, optimize: false } }).compile(
    schema,
  );
  return seen;
}
const count = (text: string, pattern: RegExp) => text.match(pattern)?.length ?? 0;

describe('work', () => {
  it('ends where its budget ends, and each piece has its own', () => {
    const meter = createWorkMeter();
    const spend = (units: number) => () => meter.spend(units);
    expect(meter.within(10, () => 'done')).toBe('done');
    expect(() => meter.within(10, spend(11))).toThrow(TooMuchWork);
    expect(() => meter.within(10, spend(10))).not.toThrow();
  });

  it('is paid for in every loop and every function that the engine generates', () => {
    const codes = generated({
      $defs: { a: { required: ['x', 'y', 'z'] } },
      properties: { p: { uniqueItems: true, items: { $ref: '#/$defs/a' } } },
      patternProperties: { '^x': { contains: { const: 1 }, minContains: 2 } },
      additionalProperties: { type: 'string' },
      propertyNames: { minLength: 1 },
      unevaluatedItems: { type: 'string' },
      dependentRequired: { a: ['b', 'c', 'd'] },
    });
    expect(codes).toHaveLength(2);
    for (const { plain, paid } of codes) {
      expect(plain).not.toMatch(/\bwhile\b|=>|\bdo\s*\{/);
      const loops = count(plain, /\bfor\s*\(/g);
      const functions = count(plain, /\bfunction\b/g);
      expect(loops).toBeGreaterThan(0);
      expect(count(paid, /\bpay\$\(\d+\);/g)).toBe(loops + functions);
    }
  });

  it('leaves names alone that read like code', () => {
    const [code] = generated({ properties: { 'for(const x in y){': { const: '}"{ let vErrors = null;' } } });
    expect(code?.paid).toContain('"for(const x in y){"');
    expect(count(code?.paid ?? '', /\bpay\$\(\d+\);/g)).toBe(1);
  });

  it('costs more in a longer loop', () => {
    const price = (keywords: object) =>
      Number(
        /\{pay\$\((\d+)\)/.exec(
          generated({ items: keywords })[0]?.paid.replace(/^.*?vErrors = null;pay\$\(\d+\);/, '') ?? '',
        )?.[1],
      );
    const short = price({ type: 'string' });
    const long = price({ anyOf: Array.from({ length: 50 }, (_, index) => ({ const: index })) });
    expect(short).toBeGreaterThan(0);
    expect(long).toBeGreaterThan(20 * short);
  });
});
