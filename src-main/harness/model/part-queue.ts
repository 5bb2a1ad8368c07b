import type { ModelPart } from './port';

/** Parts on their way from the connection to whoever reads them. */
export interface PartQueue {
  push(part: ModelPart): void;
  /** Joins neighbouring pieces of text among what came in at once, where they are many. */
  settle(): void;
  /** All that waits, at once; waits for something where nothing does. */
  take(): Promise<readonly ModelPart[]>;
  /** Throws away what waits, and gives this instead. */
  replace(part: ModelPart): void;
  /** UTF-16 units of text that wait. */
  readonly waiting: number;
}

/** As many pieces of one read go on as they came; a flood of tiny ones is joined. */
const fewPieces = 16;

function joined(parts: readonly ModelPart[]): ModelPart[] {
  const result: ModelPart[] = [];
  let texts: string[] = [];
  let kind: 'text' | 'reasoning' = 'text';
  const flush = () => {
    if (texts.length > 0) result.push({ type: kind, text: texts.join('') });
    texts = [];
  };
  for (const part of parts) {
    const isText = part.type === 'text' || part.type === 'reasoning';
    if (!isText || part.type !== kind) flush();
    if (isText) {
      kind = part.type;
      texts.push(part.text);
    } else result.push(part);
  }
  flush();
  return result;
}

export function createPartQueue(): PartQueue {
  let parts: ModelPart[] = [];
  let settled = 0;
  let waiting = 0;
  let wake: (() => void) | null = null;
  const rouse = () => {
    wake?.();
    wake = null;
  };
  return {
    push(part) {
      parts.push(part);
      if (part.type === 'text' || part.type === 'reasoning') waiting += part.text.length;
    },
    settle() {
      if (parts.length - settled > fewPieces)
        parts = [...parts.slice(0, settled), ...joined(parts.slice(settled))];
      settled = parts.length;
      if (settled > 0) rouse();
    },
    async take() {
      if (settled === 0) await new Promise<void>((resolve) => (wake = resolve));
      const taken = parts;
      parts = [];
      settled = 0;
      waiting = 0;
      return taken;
    },
    replace(part) {
      parts = [part];
      settled = 1;
      waiting = 0;
      rouse();
    },
    get waiting() {
      return waiting;
    },
  };
}
