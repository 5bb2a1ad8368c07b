import { createInterface, type Interface } from 'node:readline/promises';

/** Asks for a line; null when the input has ended or the signal was aborted. */
export type Ask = (prompt: string, signal: AbortSignal) => Promise<string | null>;

/** The person at the terminal. Prompts go to stderr, so that stdout stays the answer alone. */
export interface Terminal {
  readonly ask: Ask;
  /** Several questions that belong together: nobody else asks in between. */
  talk<T>(about: (ask: Ask) => Promise<T>): Promise<T>;
  say(text: string): void;
  close(): void;
}

/** One question at a time; out of a pipe, lines that come early wait for their question. */
export function createTerminal(input: NodeJS.ReadableStream, output: NodeJS.WritableStream): Terminal {
  const isTerminal = 'isTTY' in input && input.isTTY === true;
  let reader: Interface | null = null;
  let ended = false;
  const early: string[] = [];
  const waiting: ((line: string | null) => void)[] = [];
  let last: Promise<unknown> = Promise.resolve();
  const start = (): void => {
    if (reader) return;
    reader = createInterface({ input, terminal: false });
    reader.on('line', (line) => {
      const next = waiting.shift();
      if (next) next(line);
      // At a real terminal a line that nobody asked for answers nothing: it was typed before the question was seen.
      else if (!isTerminal) early.push(line);
    });
    reader.on('close', () => {
      ended = true;
      for (const next of waiting.splice(0)) next(null);
    });
  };
  const readLine = (signal: AbortSignal): Promise<string | null> =>
    new Promise((resolve) => {
      const line = early.shift();
      if (line !== undefined || ended || signal.aborted) {
        resolve(line ?? null);
        return;
      }
      waiting.push(resolve);
      signal.addEventListener(
        'abort',
        () => {
          const place = waiting.indexOf(resolve);
          if (place >= 0) waiting.splice(place, 1);
          resolve(null);
        },
        { once: true },
      );
    });
  const askNow: Ask = (prompt, signal) => {
    if (signal.aborted) return Promise.resolve(null);
    output.write(prompt);
    return readLine(signal);
  };
  const talk: Terminal['talk'] = (about) => {
    start();
    const turn = last.then(async () => {
      // The answer before this one may settle this question too: its consequences come first.
      await new Promise((resolve) => setImmediate(resolve));
      return about(askNow);
    });
    last = turn.catch(() => undefined);
    return turn;
  };
  return {
    ask: (prompt, signal) => talk((ask) => ask(prompt, signal)),
    talk,
    say: (text) => void output.write(text),
    close: () => reader?.close(),
  };
}

/** Text for a terminal: control, invisible and direction-changing characters are written out, line feeds stay. */
export function visible(text: string): string {
  return text.replace(
    // eslint-disable-next-line no-control-regex -- these are the characters to be written out
    /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u2028-\u202e\u2060-\u206f\u3164\ufeff\uffa0\ufff9-\ufffb]|[\u{1bca0}-\u{1bca3}\u{1d173}-\u{1d17a}\u{e0000}-\u{e0fff}]/gu,
    (character) =>
      character === '\t'
        ? '  '
        : `<U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}>`,
  );
}

/** The same on one line, for names: what a model or a server wrote cannot look like a line of this program. */
export function visibleLine(text: string): string {
  return visible(text.replaceAll('\n', '\u2028')).slice(0, 300);
}
