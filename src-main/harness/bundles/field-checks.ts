import type { Problem } from '../protocol';
import type { Field, Frontmatter } from './frontmatter';
import { problemAt } from './problem';

export interface TextRule {
  readonly max: number;
  /** Absent: the field is required. */
  readonly fallback?: string;
  readonly single_line?: boolean;
  readonly pattern?: RegExp;
  /** What the pattern asks for, as a remedy. */
  readonly remedy?: string;
}

/** Reads the fields of one header and collects what is wrong with them. */
export interface FieldReader {
  text(name: string, rule: TextRule): string | null;
  field(name: string): Field | undefined;
  refuse(line: number | undefined, text: string, severity?: Problem['severity']): void;
  readonly problems: readonly Problem[];
}

function describe(value: unknown): string {
  if (value === null || value === undefined) return 'empty';
  if (Array.isArray(value)) return 'a list';
  return typeof value === 'object' ? 'a group of fields' : `the ${typeof value} ${String(value)}`;
}

export function createFieldReader(file: string, header: Frontmatter): FieldReader {
  const problems: Problem[] = [];
  const refuse: FieldReader['refuse'] = (line, text, severity = 'error') => {
    problems.push(problemAt({ file, line, severity }, text));
  };
  const checked = (name: string, value: string, line: number, rule: TextRule): string | null => {
    if (value.length > rule.max) {
      refuse(line, `"${name}" has ${value.length} characters; at most ${rule.max} are allowed. Shorten it.`);
      return null;
    }
    if (rule.single_line === true && /[\r\n]/.test(value)) {
      refuse(line, `"${name}" must stand on one line. Join its lines.`);
      return null;
    }
    if (rule.pattern !== undefined && !rule.pattern.test(value)) {
      refuse(line, `"${name}" is "${value}". ${rule.remedy ?? 'Correct it.'}`);
      return null;
    }
    return value;
  };
  return {
    problems,
    refuse,
    field: (name) => header.fields.get(name),
    text: (name, rule) => {
      const field = header.fields.get(name);
      if (field === undefined) {
        if (rule.fallback !== undefined) return rule.fallback;
        refuse(1, `"${name}" is missing. Add a line "${name}: …" to the header.`);
        return null;
      }
      if (typeof field.value !== 'string') {
        refuse(
          field.line,
          `"${name}" must be text, but is ${describe(field.value)}. Put the text in double quotes.`,
        );
        return null;
      }
      const value = field.value.trim();
      if (value !== '') return checked(name, value, field.line, rule);
      if (rule.fallback !== undefined) return rule.fallback;
      refuse(field.line, `"${name}" is empty. Write its text behind the colon.`);
      return null;
    },
  };
}
