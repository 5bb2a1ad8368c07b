import { isAlias, isMap, isScalar, LineCounter, parseDocument, visit, type Document } from 'yaml';
import type { Problem } from '../protocol';
import { problemAt } from './problem';

/** One field of a header: its plain value and its line in the file. */
export interface Field {
  readonly value: unknown;
  readonly line: number;
}

export interface Frontmatter {
  readonly fields: ReadonlyMap<string, Field>;
  readonly body: string;
  /** Line at which the body starts, from 1. */
  readonly body_line: number;
  readonly problems: readonly Problem[];
}

const maxHeaderBytes = 64 * 1024;
const quoteRemedy = 'If a value holds ": " or starts with a special character, put it in double quotes.';

interface Parts {
  readonly header: string;
  readonly body: string;
  readonly body_line: number;
}

function split(file: string, text: string): Parts | Problem {
  const lines = text.split(/\r\n|\n|\r/);
  if (lines[0]?.trimEnd() !== '---') {
    return problemAt(
      { file, line: 1 },
      'the file must begin with a line "---", then the header, then another "---". Add the header.',
    );
  }
  const end = lines.findIndex((line, index) => index > 0 && line.trimEnd() === '---');
  if (end < 0) {
    return problemAt({ file, line: 1 }, 'the header never ends. Add a line "---" behind its last field.');
  }
  const header = lines.slice(1, end).join('\n');
  if (header.length > maxHeaderBytes) {
    return problemAt({ file, line: 1 }, 'the header is larger than 64 KB. Move long text below it.');
  }
  const rest = lines.slice(end + 1);
  const blank = rest.findIndex((line) => line.trim() !== '');
  const first = blank < 0 ? 0 : blank;
  return { header, body: rest.slice(first).join('\n').trimEnd(), body_line: end + 2 + first };
}

function parse(header: string): { document: Document.Parsed; lines: LineCounter } | null {
  const lines = new LineCounter();
  try {
    const document = parseDocument(header, {
      lineCounter: lines,
      schema: 'core',
      uniqueKeys: true,
      prettyErrors: false,
      stringKeys: true,
      logLevel: 'silent',
    });
    return { document, lines };
  } catch {
    return null;
  }
}

/** Splits and reads `---` YAML `---` body. Finds every syntax problem, each with its line; never throws. */
export function readFrontmatter(file: string, text: string): Frontmatter {
  const parts = split(file, text);
  const nothing = { fields: new Map<string, Field>(), body: '', body_line: 1 };
  if (!('header' in parts)) return { ...nothing, problems: [parts] };
  const { body, body_line } = parts;
  const parsed = parse(parts.header);
  if (parsed === null) {
    const problem = problemAt({ file, line: 2 }, 'the header is nested too deeply. Write plain fields only.');
    return { fields: nothing.fields, body, body_line, problems: [problem] };
  }
  const { document, lines } = parsed;
  // The header starts on the file's second line.
  const lineAt = (offset: number): number => lines.linePos(offset).line + 1;
  const problems: Problem[] = [...document.errors, ...document.warnings].map((error) => {
    const place = { file, line: lineAt(error.pos[0]) };
    const reason = error.message.split('\n')[0] ?? error.code;
    if (error.code === 'DUPLICATE_KEY') {
      return problemAt(place, 'the header names one field twice. Remove one of the two.');
    }
    return problemAt(place, `the header is not valid YAML (${reason.replace(/\.$/, '')}). ${quoteRemedy}`);
  });
  problems.push(...aliasProblems(file, document, lineAt));
  if (problems.length > 0) return { fields: fieldsOf(document, lineAt), body, body_line, problems };
  if (!isMap(document.contents)) {
    problems.push(problemAt({ file, line: 2 }, 'the header must be fields such as "name: …". Add them.'));
  }
  return { fields: fieldsOf(document, lineAt), body, body_line, problems };
}

function aliasProblems(
  file: string,
  document: Document.Parsed,
  lineAt: (offset: number) => number,
): Problem[] {
  const problems: Problem[] = [];
  visit(document, {
    Node: (_key, node) => {
      const anchored = 'anchor' in node && node.anchor !== undefined;
      if (!isAlias(node) && !anchored) return undefined;
      const text =
        'anchors and aliases ("&", "*") are not used here. Write the value out, or put it in quotes.';
      problems.push(problemAt({ file, line: lineAt(node.range?.[0] ?? 0) }, text));
      return visit.BREAK;
    },
  });
  return problems;
}

function fieldsOf(document: Document.Parsed, lineAt: (offset: number) => number): Map<string, Field> {
  const fields = new Map<string, Field>();
  if (!isMap(document.contents)) return fields;
  for (const pair of document.contents.items) {
    const { key, value } = pair;
    if (!isScalar(key) || typeof key.value !== 'string' || fields.has(key.value)) continue;
    const plain = isAlias(value) ? undefined : plainValue(value, document);
    fields.set(key.value, { value: plain, line: lineAt(key.range?.[0] ?? 0) });
  }
  return fields;
}

function plainValue(value: unknown, document: Document.Parsed): unknown {
  if (isScalar(value)) return value.value;
  try {
    const hasToJs = typeof value === 'object' && value !== null && 'toJS' in value;
    if (!hasToJs || typeof value.toJS !== 'function') return null;
    return (value.toJS as (doc: Document.Parsed, options: object) => unknown).call(value, document, {
      maxAliasCount: 0,
    });
  } catch {
    return undefined;
  }
}
