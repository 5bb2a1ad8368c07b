import { describe, expect, it } from 'vitest';
import { expiryChoice, mostExpiryMinutes, parseMinutes } from './expiry-minutes';

describe('the minutes after which a request expires', () => {
  it('stand for one of the choices, or for a time of the person’s own', () => {
    expect([null, 15, 60, 480, 30].map(expiryChoice)).toEqual(['never', '15', '60', '480', 'own']);
  });

  it('are taken as whole numbers within a week and as nothing else', () => {
    expect(parseMinutes(' 45 ')).toBe(45);
    expect(parseMinutes(String(mostExpiryMinutes))).toBe(mostExpiryMinutes);
    for (const wrong of ['', '0', '-5', '1.5', '1e3', 'soon', String(mostExpiryMinutes + 1), '9999999'])
      expect(parseMinutes(wrong)).toBeNull();
  });
});
