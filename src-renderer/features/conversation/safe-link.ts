/** A link that may be handed to main, which asks the person before anything opens. */
export interface SafeLink {
  readonly url: string;
  /** What the person must see: the host, or the address of a mail. */
  readonly host: string;
}

/**
 * Reads a link out of a model's text. Everything but plain http, https and mailto is no link at all; nor is one with
 * a user name in it, or with white space or control characters that a lenient parser would drop.
 */
export function safeLink(href: string | undefined): SafeLink | null {
  // eslint-disable-next-line no-control-regex
  if (href === undefined || /[\u0000-\u0020\u007f-\u00a0\u2028\u2029\\]/.test(href)) return null;
  let url: URL;
  try {
    url = new URL(href);
  } catch {
    return null;
  }
  if (url.protocol === 'mailto:') return { url: url.href, host: url.pathname };
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return null;
  if (url.username !== '' || url.password !== '' || url.hostname === '') return null;
  return { url: url.href, host: url.host };
}

/** Host of a picture that is not loaded, for its placeholder. */
export function imageHost(source: string | undefined): string | null {
  return safeLink(source)?.host ?? null;
}
