import { expect, it } from 'vitest';
import { maskEnd } from './mask-end';

const mask = (text: string): string => text.replaceAll('s3cret', '${secret:T}');

it('S0-71, hazard 95: a server cannot repeat its own secret into results, structured content or errors', () => {
  const ends = [
    maskEnd(
      {
        type: 'output',
        output: { text: 'it is s3cret', structured: { s3cret: ['s3cret', { deep: 's3cret' }], n: 1 } },
      },
      mask,
    ),
    maskEnd(
      {
        type: 'error',
        error: { code: 'tool_failed', message: 'bad token s3cret' },
        output: { text: 's3cret' },
      },
      mask,
    ),
    maskEnd(
      {
        type: 'unknown',
        error: {
          code: 'outcome_unknown',
          message: 's3cret',
          data: { stderr: ['s3cret'], may_have_run: true },
        },
      },
      mask,
    ),
  ];
  expect(JSON.stringify(ends)).not.toContain('s3cret');
  expect(ends[0]).toEqual({
    type: 'output',
    output: {
      text: 'it is ${secret:T}',
      structured: { '${secret:T}': ['${secret:T}', { deep: '${secret:T}' }], n: 1 },
    },
  });
});

it('S0-34 an image passes as it is, with an output and with an error', () => {
  const image = { media_type: 'image/png', data: new Uint8Array([1, 2, 3]) } as const;
  const output = { text: 's3cret', image };
  const error = { code: 'tool_failed', message: 's3cret', data: { key: 's3cret' } };
  expect(maskEnd({ type: 'output', output }, mask)).toEqual({
    type: 'output',
    output: { text: '${secret:T}', image },
  });
  expect(maskEnd({ type: 'error', error, output }, mask)).toEqual({
    type: 'error',
    error: { code: 'tool_failed', message: '${secret:T}', data: { key: '${secret:T}' } },
    output: { text: '${secret:T}', image },
  });
});
