import { fail, ok, type Result } from '../../protocol';

/** The value of a secret, or null where there is none. */
export type SecretResolver = (name: string) => string | null;

export interface ReferenceSources {
  readonly resolveSecret: SecretResolver;
  readonly env: Readonly<Record<string, string | undefined>>;
}

const reference = /\$\{(secret|env):([A-Za-z0-9_]+)\}/g;
const anyReference = /\$\{[^}]*\}?/g;

/** A name such as "constructor" is no variable only because every object has it. */
function variable(env: ReferenceSources['env'], name: string): string | null {
  return Object.hasOwn(env, name) ? (env[name] ?? null) : null;
}

/** Finds text that looks like a reference and is none, such as `${TOKEN}`; null where all is well. */
export function brokenReference(text: string): string | null {
  for (const match of text.matchAll(anyReference)) {
    if (!new RegExp(`^${reference.source}$`).test(match[0])) return match[0];
  }
  return null;
}

/** True when the text holds a reference. */
export function hasReference(text: string): boolean {
  return text.search(reference) !== -1;
}

/** Secrets of a run without the app: `${secret:NAME}` is the environment variable `OPENWORKER_SECRET_NAME`. */
export function createEnvironmentSecretResolver(
  env: Readonly<Record<string, string | undefined>>,
): SecretResolver {
  return (name) => variable(env, `OPENWORKER_SECRET_${name}`);
}

const secretName = /TOKEN|KEY|SECRET|PASS|AUTH|CREDENTIAL|COOKIE/i;

/** A variable such as HOME is no secret: masking its value would spoil every path. */
function isSecret(kind: string, name: string): boolean {
  return kind === 'secret' || secretName.test(name);
}

/** Puts values in the place of references and collects the secrets that were used, so that they can be masked. */
export interface ReferenceReader {
  /** @param place what the text is, for the message: `env.TOKEN of server "acer"` */
  read(text: string, place: string): Result<string>;
  /** Masks every secret that `read` has answered. */
  mask(text: string): string;
}

export function createReferenceReader(sources: ReferenceSources): ReferenceReader {
  const used = new Map<string, string>();
  return {
    read(text, place) {
      const missing: { kind: string; name: string }[] = [];
      const value = text.replace(reference, (_, kind: string, name: string) => {
        const found = kind === 'secret' ? sources.resolveSecret(name) : variable(sources.env, name);
        if (found === null) missing.push({ kind, name });
        else if (found.length >= 4 && isSecret(kind, name)) used.set(found, `\${${kind}:${name}}`);
        return found ?? '';
      });
      const first = missing[0];
      if (!first) return ok(value);
      const remedy =
        first.kind === 'secret'
          ? `Store a secret named ${first.name} (without the app: set OPENWORKER_SECRET_${first.name}).`
          : `Set the environment variable ${first.name}, or change the reference.`;
      return fail(
        'secret_missing',
        `${place} refers to \${${first.kind}:${first.name}}, which has no value. ${remedy}`,
        {
          name: first.name,
          kind: first.kind,
        },
      );
    },
    mask(text) {
      let masked = text;
      for (const [value, name] of used) masked = masked.replaceAll(value, name);
      return masked;
    },
  };
}
