import { useEffect, useRef, useState } from 'react';
import type { Failure, Result, ServerTool } from '../../../src-preload/contract';
import type { Loadable } from '../../state/host-store';
import { useApp } from '../../state/use-app';
import { withClass } from './listed-tools';

/** The person's word on a tool; null takes it back. */
export type PersonsWord = 'read' | 'write' | 'exec' | null;

export type AskedTools = { readonly status: 'unasked' } | Loadable<readonly ServerTool[]>;

export interface ServerTools {
  readonly tools: AskedTools;
  /** Whether the server is being asked now, also while an earlier answer is shown. */
  readonly asking: boolean;
  /** Why the last question failed while an earlier answer is shown. */
  readonly stale: Failure | null;
  ask(): void;
  /** The answer is not waited for any more. */
  giveUp(): void;
  classify(tools: readonly ServerTool[], said: PersonsWord): Promise<Result<null>>;
}

type Kept = Pick<ServerTools, 'tools' | 'asking' | 'stale'>;

function afterAnswer(before: Kept, answer: Result<readonly ServerTool[]>): Kept {
  if (answer.ok) return { tools: { status: 'ready', value: answer.value }, asking: false, stale: null };
  return before.tools.status === 'ready'
    ? { ...before, asking: false, stale: answer.error }
    : { tools: { status: 'failed', error: answer.error }, asking: false, stale: null };
}

/** The tools of a server, asked for when `atOnce` holds or somebody wants to know. */
export function useServerTools(name: string, atOnce: boolean): ServerTools {
  const { gateway } = useApp();
  const [kept, setKept] = useState<Kept>({ tools: { status: 'unasked' }, asking: false, stale: null });
  const question = useRef(0);
  const asked = useRef(false);
  const ask = (): void => {
    asked.current = true;
    question.current += 1;
    const mine = question.current;
    setKept((before) => ({
      tools: before.tools.status === 'ready' ? before.tools : { status: 'loading' },
      asking: true,
      stale: null,
    }));
    void gateway.query('server.tools', { name }).then((answer) => {
      if (question.current === mine) setKept((before) => afterAnswer(before, answer));
    });
  };
  const giveUp = (): void => {
    question.current += 1;
    setKept((before) => ({
      tools: before.tools.status === 'ready' ? before.tools : { status: 'unasked' },
      asking: false,
      stale: null,
    }));
  };
  const classify = async (chosen: readonly ServerTool[], said: PersonsWord): Promise<Result<null>> => {
    const words = chosen.flatMap(({ qualified_name, pin }) =>
      pin === null ? [] : [{ qualified_name, pin, classification: said }],
    );
    const result = await gateway.command('server.classify', { tools: words });
    if (!result.ok) return result;
    const names = new Set(words.map(({ qualified_name }) => qualified_name));
    setKept((before) =>
      before.tools.status === 'ready'
        ? {
            ...before,
            tools: {
              status: 'ready',
              value: withClass(before.tools.value, names, said, new Date().toISOString()),
            },
          }
        : before,
    );
    ask();
    return result;
  };
  const first = useRef(ask);
  useEffect(() => {
    if (atOnce && !asked.current) first.current();
  }, [atOnce]);
  useEffect(
    () => () => {
      // Whatever is still on its way is nobody's answer once the page is left.
      question.current += 1;
      asked.current = false;
    },
    [],
  );
  return { ...kept, ask, giveUp, classify };
}
