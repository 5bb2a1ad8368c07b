import { describe, expect, it } from 'vitest';
import type { ModelRequest } from '../model';
import { activeTurns, turnTree } from '../protocol';
import { read } from '../testing/bench-tools';
import { calls, fails, says, scriptedModel } from '../testing/scripted-model';
import { began, benches, only, say, start, types, words } from '../testing/session-acts';
import { until, type SessionBench } from '../testing/session-bench';
import type { Session } from './session-port';

const bench = benches();

const texts = (request: ModelRequest | undefined) => request?.messages.map((message) => message.text) ?? [];

function turnIds(made: SessionBench, session: Session): string[] {
  return [...made.view(session.session_id).turns.keys()];
}

const shown = (made: SessionBench, session: Session) =>
  activeTurns(made.view(session.session_id)).map((turn) => turn.submitted?.data.text ?? turn.turn_id);

describe('branches', () => {
  it('an edited message begins a branch beside the turn; the model gets exactly that branch', async () => {
    const model = scriptedModel(says('One.'), says('Two.'), says('Two again.'), says('Three.'));
    const made = bench({ model, tools: [] });
    const session = made.create();
    await say(session, 'first');
    await say(session, 'second');
    const [, second = ''] = turnIds(made, session);
    await began(session.edit(second, words('second, in other words'))).done;
    expect(texts(model.requests[2])).toEqual(['first', 'One.', 'second, in other words']);
    await say(session, 'third');
    expect(texts(model.requests[3])).toEqual([
      'first',
      'One.',
      'second, in other words',
      'Two again.',
      'third',
    ]);
    expect(shown(made, session)).toEqual(['first', 'second, in other words', 'third']);
    const edited = only(made.events(session.session_id), 'message_submitted')[2];
    expect(edited?.data.branch).toEqual({ kind: 'edited', of: second });
    const tree = turnTree(made.view(session.session_id));
    expect(tree.siblingsOf(second)).toHaveLength(2);
  });

  it('the first message can be edited too, and then nothing of before is told', async () => {
    const model = scriptedModel(says('One.'), says('Anew.'));
    const made = bench({ model, tools: [] });
    const session = made.create();
    await say(session, 'first');
    const [first = ''] = turnIds(made, session);
    await began(session.edit(first, words('other first'))).done;
    expect(texts(model.requests[1])).toEqual(['other first']);
  });

  it('attachments stay with an edited message, and new ones join them', async () => {
    const model = scriptedModel(says('Read.'), says('Both.'), says('Both again.'));
    const made = bench({ model, tools: [] });
    const session = made.create();
    const file = (name: string) => ({ name, media_type: 'text/plain', bytes: Buffer.from(`in ${name}`) });
    await began(session.submit(words('read', [file('a.txt')]))).done;
    const [turn = ''] = turnIds(made, session);
    const branch = began(session.edit(turn, words('read both', [file('b.txt')])));
    await branch.done;
    const filesOf = (request: ModelRequest | undefined) => {
      const [message] = request?.messages ?? [];
      if (message?.role !== 'user') return [];
      return message.files.map(({ name, data }) => `${name}: ${Buffer.from(data).toString()}`);
    };
    expect(filesOf(model.requests[1])).toEqual(['a.txt: in a.txt', 'b.txt: in b.txt']);
    await began(session.regenerate(branch.turn_id)).done;
    expect(filesOf(model.requests[2])).toEqual(['a.txt: in a.txt', 'b.txt: in b.txt']);
  });

  it('a regenerated turn asks the same message again, beside the former answer', async () => {
    const model = scriptedModel(says('One.'), says('Other one.'));
    const made = bench({ model, tools: [] });
    const session = made.create();
    await say(session, 'first');
    const [first = ''] = turnIds(made, session);
    await began(session.regenerate(first)).done;
    expect(texts(model.requests[1])).toEqual(['first']);
    const events = only(made.events(session.session_id), 'message_submitted');
    expect(events[1]?.data).toMatchObject({
      text: 'first',
      follows: null,
      branch: { kind: 'regenerated', of: first },
    });
    expect(session.regenerate('t_nowhere')).toMatchObject({ ok: false, error: { code: 'not_found' } });
  });

  it('a retry goes on after a failure without a new message; what completed stays', async () => {
    const model = scriptedModel(
      calls(['c1', 'test__read', { what: 'x' }]),
      fails('model_unauthorized', false),
      says('Now.'),
    );
    const made = bench({ model, tools: [read] });
    const session = made.create();
    await say(session, 'first');
    await began(session.retry()).done;
    expect(model.requests[2]?.messages).toEqual(model.requests[1]?.messages);
    expect(made.states(session.session_id)).toEqual({ c1: 'completed' });
    expect(session.retry()).toMatchObject({ ok: false, error: { code: 'invalid_input' } });
  });

  it('a retry after a stop tells the model what it had said and asks it to go on', async () => {
    const model = scriptedModel([{ type: 'text', text: 'I was say' }, 'hang'], says('ing.'));
    const made = bench({ model, tools: [] });
    const session = made.create();
    const { done } = await start(session, 'first');
    await until(() => types(made.events(session.session_id)).includes('attempt_started'));
    await session.stop();
    await done;
    await began(session.retry()).done;
    expect(texts(model.requests[1])).toEqual([
      'first',
      'I was say',
      '[The person asks you to go on from where you stopped.]',
    ]);
  });

  it('the answer to a retried turn can be asked for again: its message is that of the turn that failed', async () => {
    const model = scriptedModel(fails('model_unauthorized', false), says('Now.'), says('Again.'));
    const made = bench({ model, tools: [] });
    const session = made.create();
    await say(session, 'first');
    const retried = began(session.retry());
    await retried.done;
    await began(session.regenerate(retried.turn_id)).done;
    expect(texts(model.requests[2])).toEqual(['first']);
    const tree = turnTree(made.view(session.session_id));
    const [first = ''] = turnIds(made, session);
    expect(tree.siblingsOf(first)).toHaveLength(2);
  });

  it('a selected branch is gone on with, to its newest end, and call ids of another are no reuse', async () => {
    const again = scriptedModel(calls(['c1', 'test__read', { what: 'z' }]), says('Both known.'));
    const model = scriptedModel(
      calls(['c1', 'test__read', { what: 'x' }]),
      says('One.'),
      calls(['c1', 'test__read', { what: 'y' }]),
      says('Other.'),
      says('On the first.'),
    );
    const made = bench({ model, tools: [read] });
    const session = made.create();
    await say(session, 'first');
    const [first = ''] = turnIds(made, session);
    await began(session.edit(first, words('other'))).done;
    expect(made.states(session.session_id)).toEqual({ c1: 'completed' });
    expect(began(session.selectBranch(first))).toBeNull();
    await say(session, 'go on');
    expect(texts(model.requests[4])).toEqual(['first', '', '{"got":"x"}', 'One.', 'go on']);
    expect(shown(made, session)).toEqual(['first', 'go on']);
    const reopened = made.reopen(session.session_id, { model: again });
    expect(shown(made, session)).toEqual(['first', 'go on']);
    await say(reopened, 'reuse');
    expect(only(made.events(session.session_id), 'turn_finished').at(-1)?.data).toMatchObject({
      outcome: 'failed',
      error: { code: 'call_id_reused' },
    });
  });

  it('selects nothing while a turn runs, and nothing that is not there', async () => {
    const made = bench({ model: scriptedModel(says('One.'), ['hang']), tools: [] });
    const session = made.create();
    await say(session, 'first');
    const [first = ''] = turnIds(made, session);
    expect(session.selectBranch('t_nowhere')).toMatchObject({ ok: false, error: { code: 'not_found' } });
    const { done } = await start(session, 'second');
    expect(session.selectBranch(first)).toMatchObject({ ok: false, error: { code: 'session_busy' } });
    await session.stop();
    await done;
    expect(began(session.selectBranch(first))).toBeNull();
    expect(only(made.events(session.session_id), 'branch_selected')).toEqual([]);
  });

  it('a journal of before branches, without `follows`, is gone on with as one line', async () => {
    const made = bench({ model: scriptedModel(), tools: [] });
    const session = made.create();
    await session.close();
    const message = (text: string) => ({ message_id: `m_${text}`, text, attachments: [], mentions: [] });
    const answer = (text: string) => ({
      message_id: `a_${text}`,
      attempt: 1,
      text,
      reasoning: '',
      calls: [],
      finish_reason: 'stop',
      usage: { input_tokens: null, output_tokens: null },
      partial: false,
    });
    const old = ['one', 'two'].flatMap((text) => {
      const turn_id = `t_${text}`;
      return [
        { turn_id, type: 'message_submitted', data: message(text) } as const,
        { turn_id, type: 'assistant_message', data: answer(`${text}!`) } as const,
        { turn_id, type: 'turn_finished', data: { outcome: 'completed', error: null } } as const,
      ];
    });
    began(made.journal.append(session.session_id, old));
    const model = scriptedModel(says('Three.'), says('Two anew.'));
    const again = made.reopen(session.session_id, { model });
    await say(again, 'three');
    expect(texts(model.requests[0])).toEqual(['one', 'one!', 'two', 'two!', 'three']);
    await began(again.edit('t_two', words('two, else'))).done;
    expect(texts(model.requests[1])).toEqual(['one', 'one!', 'two, else']);
  });
});
