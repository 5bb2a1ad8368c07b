import { describe, expect, it, vi } from 'vitest';
import { fail, ok, type Harness, type Session, type SubmittedFile } from '../harness';
import { turnCommands, type TakeAttachments } from './turn-commands';

const file: SubmittedFile = { name: 'a.txt', media_type: 'text/plain', bytes: new Uint8Array([1]) };
const begun = { turn_id: 't', done: new Promise<never>(() => undefined) };

function begin(given: Partial<Session> = {}) {
  const session = {
    busy: () => false,
    submit: vi.fn(() => ok(begun)),
    edit: vi.fn(() => ok(begun)),
    queue: vi.fn(() => ok({ queued_id: 'q' })),
    settle: vi.fn(() => ok(null)),
    retry: vi.fn(() => fail('session_busy', 'A turn runs.')),
    ...given,
  };
  const waiting = new Set(['f']);
  const takeAttachments: TakeAttachments = (ids, use) => {
    const used = use(ids.map(() => file));
    if (used.ok) for (const id of ids) waiting.delete(id);
    return used;
  };
  const harness = {
    sessions: { get: (id: string) => (id === 's' ? ok(session) : fail('not_found', 'There is none.')) },
  } as unknown as Harness;
  return { session, waiting, commands: turnCommands({ harness, takeAttachments }) };
}

const message = { session_id: 's', text: 'hello', attachments: ['f'], mentions: ['m'] };
const submission = { text: 'hello', files: [file], mentions: ['m'] };

describe('commands about turns', () => {
  it('hands a message on with its files, and answers the id of its turn and nothing else', async () => {
    const { commands, session } = begin();
    expect(await commands['session.submit'](message)).toEqual(ok({ turn_id: 't' }));
    expect(session.submit).toHaveBeenCalledWith(submission);
  });

  it('keeps the files of a draft that is refused: an empty one, one that the session refuses, one for none', async () => {
    const refuse = () => fail('session_busy', 'A turn runs.');
    const { commands, waiting } = begin({ submit: refuse, edit: refuse, queue: refuse });
    const empty = { ...message, text: ' ', attachments: [] };
    expect(await commands['session.submit'](empty)).toMatchObject({ ok: false });
    expect(await commands['session.submit'](message)).toMatchObject({ error: { code: 'session_busy' } });
    expect(await commands['session.edit']({ ...message, turn_id: 't' })).toMatchObject({
      error: { code: 'session_busy' },
    });
    expect(await commands['session.submit']({ ...message, session_id: 'x' })).toMatchObject({
      error: { code: 'not_found' },
    });
    await commands['session.queue']({ ...message, delivery: 'next_turn' });
    expect([...waiting]).toEqual(['f']);
  });

  it('queues while a turn runs, with how it is to be delivered', async () => {
    const { commands, session } = begin({ busy: () => true });
    expect(await commands['session.queue']({ ...message, delivery: 'this_turn' })).toEqual(
      ok({ queued_id: 'q' }),
    );
    expect(session.queue).toHaveBeenCalledWith(submission, 'this_turn');
  });

  it('lets an edited message be empty where its turn may have files of its own', async () => {
    const { commands, session } = begin();
    await commands['session.edit']({ ...message, text: '', attachments: [], turn_id: 'u' });
    expect(session.edit).toHaveBeenCalledWith('u', { text: '', files: [], mentions: ['m'] });
  });

  it('answers a settled call with the turn that runs it again, or none', async () => {
    const settle = { session_id: 's', turn_id: 't', call_id: 'call/1 +', note: 'seen' } as const;
    const none = begin();
    expect(await none.commands['session.settle']({ ...settle, settlement: 'happened' })).toEqual(
      ok({ turn_id: null }),
    );
    expect(none.session.settle).toHaveBeenCalledWith('t', 'call/1 +', 'happened', 'seen');
    const again = begin({ settle: () => ok(begun) });
    expect(await again.commands['session.settle']({ ...settle, settlement: 'run_again' })).toEqual(
      ok({ turn_id: 't' }),
    );
  });

  it('answers why a session refused', async () => {
    expect(await begin().commands['session.retry']({ session_id: 's' })).toMatchObject({
      error: { code: 'session_busy' },
    });
  });
});
