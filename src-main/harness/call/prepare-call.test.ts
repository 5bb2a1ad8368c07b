import { describe, expect, it } from 'vitest';
import { createGuardrails, secretRedaction, type Guardrail, type Guardrails } from '../guardrails';
import type { JsonObject, ProposedCall } from '../protocol';
import { callBench, callbackTool, proposal } from '../testing/call-bench';
import { canonicalDigest, sha256Hex } from '../validation';

const inputSchema = {
  type: 'object',
  properties: { to: { type: 'string' }, n: { type: 'number' } },
  required: ['to'],
  additionalProperties: false,
};
const tool = callbackTool(() => null, {}, { inputSchema });
const token = 'gh' + 'p_aB3dE5fG7hJ9kL1mN2pQ4rS6tU8vW0xYzA1b';

function guards(...all: Guardrail[]): Guardrails {
  const selections = all.map(({ name }) => ({
    guardrail: name,
    tools: ['*'],
    options: { arguments: 'withhold' },
  }));
  return createGuardrails({ guardrails: all, selections });
}

const withholding = callBench({ guardrails: guards(secretRedaction) });

describe('preparing a call', () => {
  it('S1-84: without guardrails the proposed arguments are the released ones', async () => {
    const proposed = proposal(tool, { to: 'a' });
    expect(await callBench().prepare(tool, proposed)).toEqual({
      proposed,
      released: { to: 'a' },
      withheld: false,
      guardrails: [],
      problem: null,
    });
  });

  it('S0-63: parses and validates before anything else', async () => {
    const bench = callBench();
    expect((await bench.prepare(tool, proposal(tool, { n: 1 }))).problem).toMatchObject({
      code: 'arguments_invalid',
    });
    const malformed: ProposedCall = { ...proposal(tool), arguments: null, arguments_text: '{"to":' };
    const prepared = await bench.prepare(tool, malformed);
    expect(prepared).toMatchObject({
      proposed: malformed,
      released: null,
      problem: { code: 'arguments_malformed' },
    });
    const broken = callbackTool(() => null, {}, { inputSchema: { $ref: 'https://example.org/x' } });
    expect((await bench.prepare(broken, proposal(broken))).problem).toMatchObject({
      code: 'schema_unusable',
    });
  });

  it('hazard 3: what was prepared cannot be exchanged any more', async () => {
    const args = { to: 'a', list: [{ deep: 1 }] };
    const open = callbackTool(() => null);
    const { released } = await callBench().prepare(open, proposal(open, args));
    expect(() => Object.assign(args, { to: 'b' })).toThrow(TypeError);
    expect(() => Object.assign(args.list[0] ?? {}, { deep: 2 })).toThrow(TypeError);
    expect(released).toEqual({ to: 'a', list: [{ deep: 1 }] });
  });
});

describe('proposed, released and withheld', () => {
  it('S1-84 S1-85: withheld arguments leave a digest in the proposal and nothing else, and still run', async () => {
    const args = { to: token };
    const metadata = { signature: 'x' };
    const prepared = await withholding.prepare(tool, {
      ...proposal(tool, args),
      provider_metadata: metadata,
    });
    expect(prepared.proposed).toEqual({
      call_id: 'c1',
      name: 'app__show',
      qualified_name: 'app.show',
      arguments: null,
      withheld_digest: canonicalDigest(args),
      provider_metadata: metadata,
    });
    expect(prepared).toMatchObject({ released: args, withheld: true, problem: null });
    expect(JSON.stringify([prepared.proposed, prepared.guardrails])).not.toContain(token);
  });

  it.each<[string, Partial<ProposedCall>, string]>([
    ['that do not fit', { arguments: { to: 1, [token]: token } }, 'arguments_invalid'],
    ['that are no JSON', { arguments: null, arguments_text: `{"to": "${token}` }, 'arguments_malformed'],
  ])(
    'S1-85: also arguments %s are withheld, and the error does not quote them',
    async (_what, change, code) => {
      const prepared = await withholding.prepare(tool, { ...proposal(tool), ...change });
      expect(prepared).toMatchObject({ released: null, withheld: true, problem: { code } });
      const digest = change.arguments
        ? canonicalDigest(change.arguments)
        : sha256Hex(change.arguments_text ?? '');
      expect(prepared.proposed).toMatchObject({ arguments: null, withheld_digest: digest });
      expect(JSON.stringify(prepared)).not.toContain(token);
    },
  );

  it('S1-85: also those of a call to no tool at all', async () => {
    const call: ProposedCall = {
      call_id: 'c1',
      name: 'nope',
      qualified_name: null,
      arguments: { key: token },
    };
    const prepared = await withholding.prepare(null, call);
    expect(prepared).toMatchObject({ withheld: true, proposed: { arguments: null } });
    expect(JSON.stringify(prepared.proposed)).not.toContain(token);
  });

  it('S1-85: and of a misspelt name, whatever tools the rule is for', async () => {
    const forMail = createGuardrails({
      guardrails: [secretRedaction],
      selections: [
        { guardrail: 'secret_redaction', tools: ['mail.*'], options: { arguments: 'withhold' } },
        { guardrail: 'secret_redaction', tools: ['*'], options: {} },
      ],
    });
    const bench = callBench({ guardrails: forMail });
    for (const name of ['mail__sned', 'mial__send', 'nothing']) {
      const misspelt = { call_id: 'c1', name, qualified_name: null };
      const args = await bench.prepare(null, { ...misspelt, arguments: { a: { [token]: 1 } } });
      expect(JSON.stringify(args.proposed)).not.toContain(token);
      const text = { ...misspelt, arguments: null, arguments_text: `{"body": "${token}` };
      expect(JSON.stringify((await bench.prepare(null, text)).proposed)).not.toContain(token);
    }
    expect(await bench.prepare(tool, proposal(tool, { to: token }))).toMatchObject({ withheld: false });
  });

  it('hazard 65: what is too large to be looked at is refused at once, and leaves its digest', async () => {
    for (const to of ['\u200b'.repeat(2_000_000), 'token=abc12345defgh '.repeat(370_000)]) {
      const seen: unknown[] = [];
      const look: Guardrail = { name: 'look', input: (subject) => (seen.push(subject), { action: 'pass' }) };
      const proposed = proposal(tool, { to });
      const prepared = await callBench({ guardrails: guards(look) }).prepare(tool, proposed);
      expect(prepared).toMatchObject({ released: null, withheld: true, problem: { code: 'limit_reached' } });
      expect(prepared.problem?.message).toMatch(
        /app__show have \d+ bytes; at most 1048576 are allowed.*Send less/,
      );
      expect(prepared.proposed).toMatchObject({
        arguments: null,
        withheld_digest: canonicalDigest({ to }),
      });
      expect(seen).toEqual([]);
    }
  });

  it('S1-84: transformed arguments are checked again; the proposal keeps what the model wrote', async () => {
    const change = (args: JsonObject): Guardrail => ({
      name: 'change',
      input: () => ({ action: 'transform', arguments: args }),
    });
    const proposed = proposal(tool, { to: 'a' });
    const good = await callBench({ guardrails: guards(change({ to: 'b' })) }).prepare(tool, proposed);
    expect(good).toMatchObject({ proposed, released: { to: 'b' }, problem: null });
    expect(good.guardrails).toMatchObject([{ guardrail: 'change', stage: 'input', action: 'transformed' }]);
    const bad = await callBench({ guardrails: guards(change({ n: 1 })) }).prepare(tool, proposed);
    expect(bad).toMatchObject({ released: null, problem: { code: 'guardrail_blocked' } });
  });

  it('a withheld proposal of before a restart has lost its arguments', async () => {
    const recorded = (await withholding.prepare(tool, proposal(tool, { to: token }))).proposed;
    const prepared = await callBench().prepare(tool, recorded);
    expect(prepared).toMatchObject({ proposed: recorded, released: null, withheld: true });
    expect(prepared.problem).toMatchObject({ code: 'withheld_gone' });
  });
});
