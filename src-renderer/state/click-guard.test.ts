import { describe, expect, it } from 'vitest';
import { createClickGuard, deafAtMost, deafFor } from './click-guard';

const person = { isTrusted: true, detail: 1 };

function guarded() {
  let time = 1000;
  const guard = createClickGuard({ now: () => time });
  return {
    guard,
    pass: (milliseconds: number) => {
      time += milliseconds;
    },
    click: (detail = 1) => {
      guard.pressed();
      return guard.judge({ isTrusted: true, detail });
    },
  };
}

describe('the guard of a request', () => {
  it('field report 13: takes no answer in the first half second', () => {
    const { click, pass } = guarded();
    pass(deafFor - 1);
    expect(click()).toBe('too_soon');
  });

  it('takes an answer after it', () => {
    const { click, pass } = guarded();
    pass(deafFor);
    expect(click()).toBe('accept');
  });

  it('lengthens the deafness by clicks meanwhile, but not for ever', () => {
    const { click, pass } = guarded();
    let taken = 0;
    let waited = 0;
    for (let index = 0; index < 200; index += 1) {
      pass(20);
      waited += 20;
      if (click() === 'accept') {
        taken += 1;
        break;
      }
    }
    expect(taken).toBe(1);
    expect(waited).toBeLessThanOrEqual(deafAtMost + 20);
  });

  it('starts anew when the request changes', () => {
    const { guard, click, pass } = guarded();
    pass(deafFor + 100);
    guard.changed();
    expect(click()).toBe('too_soon');
    pass(deafFor + deafFor);
    expect(click()).toBe('accept');
  });

  it('does not take a press that began before the change', () => {
    const { guard, pass } = guarded();
    pass(deafFor);
    guard.pressed();
    guard.changed();
    pass(deafFor + 1);
    expect(guard.judge(person)).toBe('too_soon');
  });

  it('field report 10: swallows the click that focuses the window, however long it is held', () => {
    const { guard, pass } = guarded();
    pass(deafFor * 4);
    guard.focused();
    guard.pressed();
    pass(deafAtMost);
    expect(guard.judge(person)).toBe('too_soon');
  });

  it('refuses a click that no person made', () => {
    const { guard, pass } = guarded();
    pass(deafFor);
    expect(guard.judge({ isTrusted: false, detail: 1 })).toBe('not_a_person');
  });

  it('refuses the second click of a double click', () => {
    const { click, pass } = guarded();
    pass(deafFor);
    expect(click(2)).toBe('repeat');
  });

  it('takes a click by keyboard, which has no press of a pointer, and knows a key that repeats', () => {
    const { guard, pass } = guarded();
    pass(deafFor);
    expect(guard.judge({ isTrusted: true, detail: 0 })).toBe('accept');
    expect(guard.keyRepeats({ repeat: true })).toBe(true);
    expect(guard.keyRepeats({ repeat: false })).toBe(false);
  });
});
