import { fail, ok, type Result } from '../harness';

const longest = 4_000;

/** What a link leads to, in the two forms that matter: what is opened, and what a person can judge. */
export interface CheckedLink {
  readonly url: string;
  /** The host in ASCII (punycode for other scripts), or the mail address. */
  readonly target: string;
}

/**
 * The one gate for links out of the app (hazard 42): http, https and mailto alone, nothing that hides its host. Used
 * by the window, the new-window handler and the navigation guard alike.
 */
export function checkLink(raw: string): Result<CheckedLink> {
  const refuse = (why: string): Result<CheckedLink> =>
    fail(
      'invalid_input',
      `This link was not opened: ${why}. Copy the address and look at it if you trust where it came from.`,
    );
  if (raw.length > longest) return refuse(`it is longer than ${longest} characters`);
  // eslint-disable-next-line no-control-regex -- control characters and blanks in a link are what is refused here
  if (/[\u0000-\u0020\u007f-\u009f\\]/.test(raw))
    return refuse('it contains blanks, control characters or backslashes');
  if (!URL.canParse(raw)) return refuse('it is not a complete address');
  const url = new URL(raw);
  if (url.protocol === 'mailto:') {
    const address = decodeURIComponent(url.pathname);
    if (!/^[^\s@<>"]+@[^\s@<>"]+$/.test(address) || url.search !== '')
      return refuse('the mail address is not a plain one');
    return ok({ url: `mailto:${address}`, target: address });
  }
  if (url.protocol !== 'https:' && url.protocol !== 'http:')
    return refuse(`the app opens no "${url.protocol}" addresses`);
  if (url.username !== '' || url.password !== '')
    return refuse('it carries a user name, which can hide the real host');
  if (url.hostname === '') return refuse('it names no host');
  return ok({ url: url.href, target: url.host });
}
