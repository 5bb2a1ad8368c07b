import { fail, failure, ok, type Failure, type Result } from './failure';

/** The longest selected name and derived alias, in ASCII bytes (S0-52, C4). */
export const maxNameBytes = 80;

/** Nobody registers or selects names in it (S0-51). */
export const reservedNamespace = 'openworker';

const segment = /^[A-Za-z0-9_-]+$/;

export interface QualifiedName {
  readonly qualified_name: string;
  readonly namespace: string;
  /** Everything behind the first dot: a native tool's own name, or the exact remote name of an MCP tool. */
  readonly local_name: string;
  readonly model_alias: string;
}

/** Replaces each dot with `__` (S0-47). */
export function aliasOf(qualifiedName: string): string {
  return qualifiedName.replaceAll('.', '__');
}

function isAscii(text: string): boolean {
  return /^[\x21-\x7e]+$/.test(text);
}

/** Checks the name of a namespace: one segment of letters, digits, `_` and `-`, not the reserved one (S0-51). */
export function checkNamespace(namespace: string): Failure | null {
  if (!segment.test(namespace)) {
    return failure(
      'name_invalid',
      `Namespace "${namespace}" must be made of ASCII letters, digits, "_" and "-". Rename it.`,
    );
  }
  if (namespace === reservedNamespace) {
    return failure(
      'name_reserved',
      `Namespace "${reservedNamespace}" is reserved. Choose another namespace.`,
    );
  }
  return null;
}

/**
 * Parses a full qualified name such as `files.move_file` (S0-16, S0-50..S0-52). Case is kept. The local part may hold
 * dots of its own, since an MCP tool's remote name is taken exactly (S0-44).
 */
export function parseQualifiedName(text: string): Result<QualifiedName> {
  const dot = text.indexOf('.');
  if (dot <= 0 || dot === text.length - 1 || !isAscii(text)) {
    return fail(
      'name_invalid',
      `"${text}" is not a qualified tool name. Write it as namespace.tool in ASCII letters, for example files.move_file.`,
    );
  }
  const namespace = text.slice(0, dot);
  const problem = checkNamespace(namespace);
  if (problem) return { ok: false, error: problem };
  const local = text.slice(dot + 1);
  if (!local.split('.').every((part) => segment.test(part))) {
    return fail(
      'name_invalid',
      `"${text}" has a character that no model can call. Use ASCII letters, digits, "_", "-" and single dots.`,
    );
  }
  const alias = aliasOf(text);
  for (const [what, value] of [
    ['name', text],
    ['model alias', alias],
  ] as const) {
    if (value.length > maxNameBytes) {
      return fail(
        'name_too_long',
        `The ${what} "${value}" has ${value.length} bytes; at most ${maxNameBytes} are allowed. Shorten the name.`,
      );
    }
  }
  return ok({ qualified_name: text, namespace, local_name: local, model_alias: alias });
}

/**
 * Checks a selection as a whole: each name well-formed, none twice, no two with one alias (S0-46, C6). Answers all
 * problems, not only the first. `index` in `data` is the place in the list.
 */
export function checkSelection(names: readonly string[]): { names: QualifiedName[]; problems: Failure[] } {
  const parsed: QualifiedName[] = [];
  const problems: Failure[] = [];
  const seen = new Set<string>();
  const aliases = new Map<string, string>();
  names.forEach((text, index) => {
    const result = parseQualifiedName(text);
    if (!result.ok) {
      problems.push({ ...result.error, data: { ...result.error.data, index } });
      return;
    }
    if (seen.has(text)) {
      problems.push(
        failure('name_duplicate', `Tool "${text}" is listed twice. Remove one entry.`, { index }),
      );
      return;
    }
    seen.add(text);
    const other = aliases.get(result.value.model_alias);
    if (other !== undefined) {
      problems.push(
        failure(
          'alias_collision',
          `Tools "${other}" and "${text}" share the model alias "${result.value.model_alias}". Select only one of them, or rename one.`,
          { index },
        ),
      );
      return;
    }
    aliases.set(result.value.model_alias, text);
    parsed.push(result.value);
  });
  return { names: parsed, problems };
}
