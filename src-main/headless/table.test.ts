import { describe, expect, it } from 'vitest';
import { document, table } from './table';

describe('a list on the terminal', () => {
  it('stands in columns without blanks at the ends of lines', () => {
    const rows = [
      ['a_1', 'Books'],
      ['a_1234', ''],
    ];
    expect(table(['ID', 'SESSION'], rows)).toBe('ID      SESSION\na_1     Books\na_1234\n');
  });

  it('hazard 6: keeps each entry on its line and writes out what could repaint the terminal', () => {
    expect(table(['TITLE'], [['x\n\u001b[2Jy']])).toBe('TITLE\nx<U+2028><U+001B>[2Jy\n');
  });

  it('is one JSON document for a program', () => {
    expect(document({ approvals: [] })).toBe('{"approvals":[]}\n');
  });
});
