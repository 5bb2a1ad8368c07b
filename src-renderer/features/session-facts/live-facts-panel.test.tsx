import { renderToStaticMarkup } from 'react-dom/server';
import { beforeAll, describe, expect, it } from 'vitest';
import {
  emptySessionView,
  foldSession,
  type FoldItem,
  type ModelContextFact,
  type SessionEvent,
} from '../../../src-preload/contract';
import { startMessages } from '../../messages/use-text';
import { LiveFactsPanel } from './live-facts-panel';

beforeAll(async () => {
  Object.assign(globalThis, { document: { documentElement: {} } });
  await startMessages('en');
});

const event = (seq: number, type: SessionEvent['type'], data: unknown): FoldItem => ({
  kind: 'event',
  event: { seq, session_id: 's', turn_id: 't', type, version: 1, at: '2026-01-01T00:00:00Z', data } as never,
});
const opening = event(1, 'message_submitted', { message_id: 'm', text: 'Hi', attachments: [], mentions: [] });
const live = (attempt: number, facts: readonly ModelContextFact[]): FoldItem => ({
  kind: 'signal',
  signal: {
    type: 'model_context',
    turn_id: 't',
    attempt,
    facts,
    bytes: facts.reduce((sum, fact) => sum + (fact.state === 'included' ? fact.bytes : 0), 0),
  },
});
const shown = (...items: FoldItem[]): string =>
  renderToStaticMarkup(<LiveFactsPanel view={foldSession(emptySessionView('s'), items)} />);

const included: ModelContextFact = {
  qualified_name: 'screen.capture',
  state: 'included',
  bytes: 2048,
  facts: { access: 'granted' },
};

describe('live facts in the window', () => {
  it('stand with their share of 4 KB and of 16 KB, the facts themselves behind a button (S0-07, S0-10)', () => {
    const html = shown(opening, live(1, [included]));
    expect(html).toContain('screen.capture');
    expect(html).toContain('screen.capture, of 4 KB');
    expect(html).toContain('All together, of 16 KB');
    expect(html).toContain('>Show</button>');
    expect(html).not.toContain('granted');
  });

  it('say of each tool that was left out why (S0-08, S0-09)', () => {
    const states = {
      too_large: 'Left out: more than 4 KB.',
      over_total: 'Left out: together more than 16 KB.',
      threw: 'Left out: the tool failed to say it.',
      too_slow: 'Left out: it took too long.',
      not_plain_json: 'Left out: it is not plain data.',
      secret: 'Left out: it holds a secret or an image.',
    } as const;
    for (const [state, words] of Object.entries(states)) {
      const fact = { qualified_name: 'screen.capture', state: state as keyof typeof states, bytes: 5000 };
      expect(shown(opening, live(1, [fact]))).toContain(words);
    }
  });

  it('are those of the latest attempt, however late an older signal comes', () => {
    const former = { ...included, qualified_name: 'screen.former' };
    const html = shown(opening, live(2, [included]), live(1, [former]));
    expect(html).toContain('screen.capture');
    expect(html).not.toContain('screen.former');
  });

  it('are gone with the window: what is recorded holds none of them (S0-10)', () => {
    expect(shown(opening)).toBe('');
    expect(shown(opening, live(1, []))).toBe('');
  });
});
