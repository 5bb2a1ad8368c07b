import { RE2JS } from 're2js';
import type { WorkMeter } from './work-meter';

/** A pattern that matches in time linear in the text: a foreign schema cannot freeze the app with it (hazard 21). */
export interface LinearPattern {
  test(text: string): boolean;
  /** Tells patterns apart: the schema engine shares what has the same text. */
  toString(): string;
}

/** The form in which the schema engine takes it; `code` would name it in generated modules, which are not used. */
export interface LinearEngine {
  /** @throws in words, where the pattern needs look-around or back-references, which no linear engine has. */
  (pattern: string, flags: string): LinearPattern;
  readonly code: string;
}

/** Steps of a pattern's program that one unit of work pays for, for each character. */
const stepsOfUnit = 4;

function compile(pattern: string): RE2JS {
  try {
    return RE2JS.compile(RE2JS.translateRegExp(pattern));
  } catch {
    const shown = JSON.stringify(pattern.length > 80 ? `${pattern.slice(0, 80)}…` : pattern);
    throw new Error(
      `The pattern ${shown} uses look-around, a back-reference or too many repetitions, which can take endless time and is not offered. Write it without`,
    );
  }
}

/** Linear in the text is still text times pattern, so a look at a text is paid for by both. */
export function createLinearEngine(meter: WorkMeter): LinearEngine {
  const engine = (pattern: string, flags: string): LinearPattern => {
    const compiled = compile(pattern);
    const unitsOfCharacter = 1 + compiled.programSize() / stepsOfUnit;
    return {
      test(text) {
        meter.spend(1 + text.length * unitsOfCharacter);
        return compiled.matcher(text).find();
      },
      toString: () => `/${pattern}/${flags}`,
    };
  };
  return Object.assign(engine, { code: 'linearPattern' });
}

const sizeOfProperty = 20;

/** What a pattern's program grows to when its repetitions are written out, about; costs nothing to know. */
export function sizeOfPattern(pattern: string): number {
  const open: number[] = [];
  let size = 0;
  let last = 0;
  for (const { 0: part } of pattern.matchAll(/\\[pP]|\\.|\[(?:\\.|[^\]\\])*\]|\{\d*,?\d*\}|[^]/g)) {
    if (part === '(') {
      open.push(size);
      size = 0;
      continue;
    }
    if (part === ')') {
      last = size;
      size += open.pop() ?? 0;
      continue;
    }
    const repeated = /^\{(?:\d*,)?(\d+),?\}$/.exec(part)?.[1];
    const properties = part.match(/\\[pP]/g)?.length ?? 0;
    if (repeated === undefined) last = 1 + sizeOfProperty * properties;
    size += repeated === undefined ? last : last * Math.max(0, Number(repeated) - 1);
  }
  return open.reduce((sum, before) => sum + before, size);
}
