import { expect, it } from 'vitest';
import { maskEnd } from './mask-end';

const mask = (text: string): string => text.replaceAll('s3cret', '${secret:T}');

it('hazard 95: a server cannot repeat its own secret into results, structured content or errors', () => {
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
    maskEnd({ type: 'unknown', error: { code: 'outcome_unknown', message: 's3cret' } }, mask),
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
