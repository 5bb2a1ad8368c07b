/** A secret that stands in a text. Places are UTF-16 units; `end` is behind it. */
export interface SecretSpan {
  readonly start: number;
  readonly end: number;
  /** What it looks like: `github_token`, `private_key`, `secret_value`. */
  readonly kind: string;
}

/**
 * One way to find secrets. Each takes time linear in the text: a pattern begins with literal words or at the beginning
 * of a run, and what may be long in it is one class that nothing has to follow.
 */
export interface SecretDetector {
  readonly kind: string;
  /** None of these in a text, nothing to find. */
  readonly hints: readonly string[];
  find(text: string): readonly SecretSpan[];
}

/** Nothing that a token could go on from stands before it; an escaped line break is none, also where JSON is cut. */
const edge = String.raw`(?:(?<![A-Za-z0-9])|(?<=\\[nrt]))`;
const runEdge = String.raw`(?:(?<![A-Za-z0-9_-])|(?<=\\[nrt]))`;

function detector(
  kind: string,
  hints: readonly string[],
  source: string,
  accept: (secret: string) => boolean = () => true,
  flags = 'g',
): SecretDetector {
  const pattern = new RegExp(source, flags);
  return {
    kind,
    hints,
    find(text) {
      const spans: SecretSpan[] = [];
      for (const match of text.matchAll(pattern)) {
        // A group stands at the end of its pattern; without one the whole match is the secret.
        const secret = match[1] ?? match[0];
        const end = match.index + match[0].length - (source.endsWith('@') ? 1 : 0);
        if (accept(secret)) spans.push({ start: end - secret.length, end, kind });
      }
      return spans;
    },
  };
}

const keyBegins = /-----BEGIN (?:[A-Z0-9]{1,20} ){0,4}PRIVATE KEY(?: BLOCK)?-----/g;
const keyEnds = /-----END (?:[A-Z0-9]{1,20} ){0,4}PRIVATE KEY(?: BLOCK)?-----/g;

/** Blocks with both their lines; one that is cut off goes to the end of the text. */
function privateKeys(text: string): readonly SecretSpan[] {
  const spans: SecretSpan[] = [];
  let from = 0;
  for (;;) {
    keyBegins.lastIndex = from;
    const begin = keyBegins.exec(text);
    if (!begin) return spans;
    keyEnds.lastIndex = begin.index;
    const end = keyEnds.exec(text) ? keyEnds.lastIndex : text.length;
    spans.push({ start: begin.index, end, kind: 'private_key' });
    from = end;
  }
}

/** Shorter texts hold no secret that a detector finds: `://:b@`. */
const minSecretLength = 6;

const hasDigit = (secret: string): boolean => /[0-9]/.test(secret);
const placeholder =
  /^(?:[$%{<]|\*+$|x+$|\.+$|-+$)|(?:example|changeme|placeholder|redacted|your[_-]|dummy|process\.env|environ)/i;

function isPlaceholder(value: string): boolean {
  return placeholder.test(value.slice(0, 200));
}

const unitCounts = new Uint32Array(0x10000);

/** Shannon entropy of the UTF-16 units, in bits for each. */
function entropy(value: string): number {
  for (let at = 0; at < value.length; at += 1) {
    const unit = value.charCodeAt(at);
    unitCounts[unit] = (unitCounts[unit] ?? 0) + 1;
  }
  let bits = 0;
  for (let at = 0; at < value.length; at += 1) {
    const unit = value.charCodeAt(at);
    const share = (unitCounts[unit] ?? 0) / value.length;
    if (share > 0) bits -= share * Math.log2(share);
    // Counted once, and zero again for the next value.
    unitCounts[unit] = 0;
  }
  return bits;
}

const words =
  'passw(?:or)?d|passphrase|pwd|secret|token|api[_-]?key|access[_-]?key|private[_-]?key|signing[_-]?key|encryption[_-]?key|auth[_-]?key|account[_-]?key|credential';
const suffix = '(?:s|[_-][A-Za-z0-9_-]{0,20}|key)?';
/** Names that speak about a secret and hold none. */
const speaksAbout =
  /(?:[_-]|^)(?:ids?|name|type|url|uri|file|path|count|limit|at|in|digest|hash|sha256|expiry|expires|length|size|usage|budget|policy|field|header|version)$/i;
const nameEnd = new RegExp(`(?:${words})${suffix}$`, 'i');
const isPasswordName = /passw|pwd|passphrase/i;

/** Whether a member or variable of this name is likely to hold a secret. */
export function isSecretName(name: string): boolean {
  const end = name.slice(-80);
  return nameEnd.test(end) && !speaksAbout.test(end);
}

/** Long enough and mixed enough to be no word, path or placeholder. Passwords are shorter than keys. */
export function looksSecret(value: string, name: string): boolean {
  const password = isPasswordName.test(name.slice(-80));
  if (value.length < (password ? 8 : 12) || value.length > 8_192 || /\s/.test(value)) return false;
  if (isPlaceholder(value) || /^(?:https?:|file:|\.{0,2}\/[\w.-]+\/)/i.test(value)) return false;
  if (!/[A-Za-z]/.test(value) || !(hasDigit(value) || (password && /[^A-Za-z0-9_.-]/.test(value))))
    return false;
  return entropy(value.slice(0, 1_000)) >= (password ? 2.5 : 3);
}

const assignment = new RegExp(
  String.raw`((?:${words})${suffix})\\?["'${'`'}]?[ \t]{0,3}(?:=>|:=|==?|:)[ \t]{0,3}\\?["'${'`'}]?([^\s"'${'`'}\\,;&<>(){}\[\]|]{8,})`,
  'gi',
);

/** `NAME=value`, `name: value` and the like, where the name says secret and the value looks like one. */
function assignments(text: string): readonly SecretSpan[] {
  const spans: SecretSpan[] = [];
  for (const match of text.matchAll(assignment)) {
    const [whole, name = '', value = ''] = match;
    const end = match.index + whole.length;
    if (speaksAbout.test(name) || !looksSecret(value, name)) continue;
    spans.push({ start: end - value.length, end, kind: 'secret_value' });
  }
  return spans;
}

const cased = (word: string): readonly string[] => [
  word,
  word.toUpperCase(),
  `${word.charAt(0).toUpperCase()}${word.slice(1)}`,
];

/** In order of precedence: where two find overlapping spans, the first one names it. */
export const secretDetectors: readonly SecretDetector[] = [
  { kind: 'private_key', hints: ['PRIVATE KEY'], find: privateKeys },
  detector('anthropic_key', ['sk-ant-'], `${edge}sk-ant-[A-Za-z0-9_-]{20,}`),
  detector(
    'openai_key',
    ['sk-'],
    `${edge}sk-(?:(?:proj|svcacct|admin|or-v1)-[A-Za-z0-9_-]{20,}|[A-Za-z0-9]{32,})`,
  ),
  detector(
    'github_token',
    ['ghp_', 'gho_', 'ghu_', 'ghs_', 'ghr_', 'github_pat_'],
    `${edge}(?:gh[pousr]_[A-Za-z0-9]{36,}|github_pat_[A-Za-z0-9_]{22,})`,
  ),
  detector(
    'gitlab_token',
    ['glpat-', 'gldt-', 'glrt-', 'glptt-', 'glcbt-', 'glsoat-', 'glft-', 'glagent-'],
    `${edge}gl(?:pat|dt|rt|ptt|cbt|soat|ft|agent)-[A-Za-z0-9_.-]{20,}`,
  ),
  detector('slack_token', ['xox', 'xapp-'], `${edge}(?:xox[a-z]|xapp)-[A-Za-z0-9-]{10,}`),
  detector(
    'slack_webhook',
    ['hooks.slack.com/services/'],
    'hooks\\.slack\\.com/services/([A-Za-z0-9/]{20,})',
  ),
  detector('stripe_key', ['_live_', '_test_'], `${edge}[srp]k_(?:live|test)_[A-Za-z0-9]{16,}`),
  detector('stripe_key', ['whsec_'], `${edge}whsec_[A-Za-z0-9+/=]{24,}`),
  detector('npm_token', ['npm_'], `${edge}npm_[A-Za-z0-9]{36,}`),
  detector(
    'aws_access_key',
    ['AKIA', 'ASIA', 'ABIA', 'ACCA'],
    `${edge}A(?:KIA|SIA|BIA|CCA)[A-Z0-9]{16}(?![A-Za-z0-9])`,
  ),
  detector('gcp_api_key', ['AIza'], `${edge}AIza[A-Za-z0-9_-]{35}`),
  detector('google_token', ['ya29.', 'GOCSPX-'], `${edge}(?:ya29\\.|GOCSPX-)[A-Za-z0-9_-]{20,}`),
  detector('azure_client_secret', ['Q~'], `${edge}[A-Za-z0-9_~.-]{3}[0-9]Q~[A-Za-z0-9_~.-]{31,34}`),
  detector(
    'azure_key',
    ['AccountKey=', 'SharedAccessKey=', 'SharedAccessSignature='],
    '(?:AccountKey|SharedAccessKey|SharedAccessSignature)=([A-Za-z0-9+/=%]{32,})',
  ),
  detector('azure_sas', ['sig='], '[?&;]sig=([A-Za-z0-9%+/=_-]{32,})'),
  detector('jwt', ['eyJ'], `${runEdge}eyJ[A-Za-z0-9_-]{8,}\\.eyJ[A-Za-z0-9_-]{8,}\\.[A-Za-z0-9_-]{8,}`),
  detector(
    'bearer_token',
    cased('bearer'),
    `${edge}bearer[ \\t]{1,4}([A-Za-z0-9._~+/=-]{16,})`,
    (secret) => hasDigit(secret) && !isPlaceholder(secret),
    'gi',
  ),
  detector(
    'basic_credentials',
    cased('basic'),
    `authorization\\\\?["']?[ \\t]{0,3}[:=][ \\t]{0,3}\\\\?["']?basic[ \\t]{1,4}([A-Za-z0-9+/=]{8,})`,
    () => true,
    'gi',
  ),
  detector(
    'connection_password',
    ['://'],
    `://[^\\s/?#@:"'<>\\\\]{0,128}:([^\\s/?#"'<>\\\\]{1,256})@`,
    (secret) => !isPlaceholder(secret),
  ),
  {
    kind: 'secret_value',
    hints: ['passw', 'passphrase', 'pwd', 'secret', 'token', 'key', 'credential'].flatMap(cased),
    find: assignments,
  },
];

/** One look at a text that holds no hint at all, as nearly every text does. */
const anyHint = new RegExp(
  [...new Set(secretDetectors.flatMap(({ hints }) => hints))]
    .map((hint) => hint.replace(/[.?]/g, '\\$&'))
    .join('|'),
);

/** The detectors that may find something in this text, or in any part of it. */
export function detectorsFor(
  text: string,
  among: readonly SecretDetector[] = secretDetectors,
): readonly SecretDetector[] {
  if (text.length < minSecretLength || !anyHint.test(text)) return [];
  return among.filter(({ hints }) => hints.some((hint) => text.includes(hint)));
}

/** The secrets of a text in order, none overlapping another. Time grows with the text alone. */
export function findSecretSpans(
  text: string,
  among: readonly SecretDetector[] = secretDetectors,
): readonly SecretSpan[] {
  let taken: readonly SecretSpan[] = [];
  for (const { find } of detectorsFor(text, among)) {
    const found = find(text);
    if (found.length > 0) taken = taken.length === 0 ? found : mergedSpans(taken, found);
  }
  return taken;
}

/** A later span that goes this much beyond one that stands covers more than the same secret. */
const muchLonger = 8;

/** Whether `a` comes before `b`: of two that begin at one place the longer one. */
function isBefore(a: SecretSpan, b: SecretSpan): boolean {
  return a.start < b.start || (a.start === b.start && a.end >= b.end);
}

/**
 * Merges two ordered lists, in time linear in both. Of two that overlap the one that stands keeps its name, unless the
 * other goes far beyond it: nothing of that one may stay.
 */
function mergedSpans(taken: readonly SecretSpan[], found: readonly SecretSpan[]): readonly SecretSpan[] {
  const merged: SecretSpan[] = [];
  let last: SecretSpan | null = null;
  let lastStands = false;
  for (let t = 0, f = 0; t < taken.length || f < found.length;) {
    const standing = taken[t];
    const other = found[f];
    const stands: boolean = !!standing && (!other || isBefore(standing, other));
    const span = stands ? standing : other;
    if (stands) t += 1;
    else f += 1;
    if (!span) break;
    if (!last || last.end <= span.start) {
      if (last) merged.push(last);
      last = span;
      lastStands = stands;
      continue;
    }
    const first: SecretSpan = !lastStands && stands ? span : last;
    const start: number = Math.min(last.start, span.start);
    const end: number = Math.max(last.end, span.end);
    const larger: SecretSpan = last.end - last.start >= span.end - span.start ? last : span;
    const beyond = end - start - (first.end - first.start) >= muchLonger;
    last = beyond ? { start, end, kind: larger.kind } : first;
    lastStands = !beyond && (lastStands || stands);
  }
  if (last) merged.push(last);
  return merged;
}
