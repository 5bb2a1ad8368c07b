import { RE2JS } from 're2js';

/** A pattern that matches in time linear in the text: a foreign schema cannot freeze the app with it (hazard 21). */
export interface LinearPattern {
  test(text: string): boolean;
  /** Tells patterns apart: the schema engine shares what has the same text. */
  toString(): string;
}

/** @throws where the pattern needs look-around or back-references, which no linear engine has. */
export function linearPattern(pattern: string, flags: string): LinearPattern {
  const compiled = RE2JS.compile(RE2JS.translateRegExp(pattern));
  return {
    test: (text) => compiled.matcher(text).find(),
    toString: () => `/${pattern}/${flags}`,
  };
}

/** The form in which the schema engine takes it; `code` would name it in generated modules, which are not used. */
export const linearEngine = Object.assign(linearPattern, { code: 'linearPattern' });
