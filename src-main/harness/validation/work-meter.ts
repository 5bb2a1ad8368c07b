/** A check that would take more work than it may. */
export class TooMuchWork extends Error {
  constructor() {
    super('It takes too much work to check.');
    this.name = 'TooMuchWork';
  }
}

/**
 * Counts the work of one check at a time. A unit is about what 128 characters of generated code take, some ten
 * nanoseconds to some hundred where they find something wrong. It counts work and not time, so that a busy machine does
 * not refuse what an idle one takes.
 */
export interface WorkMeter {
  /** @throws TooMuchWork when the budget is used up */
  spend(units: number): void;
  /** Runs `work`, which must not wait, with a budget of its own. */
  within<T>(units: number, work: () => T): T;
}

export function createWorkMeter(): WorkMeter {
  let left = 0;
  return {
    spend(units) {
      left -= units;
      if (left < 0) throw new TooMuchWork();
    },
    within(units, work) {
      left = units;
      return work();
    },
  };
}

const charactersOfUnit = 128;

interface Payment {
  readonly at: number;
  units: number;
}

/** A text, the head of a loop, the start of a function, or a brace; a loop's head holds one level of brackets at most. */
const tokens = /"(?:[^"\\]|\\.)*"|\bfor\((?:[^()"]|\([^()"]*\))*\)\{|let vErrors = null;|[{}]/g;

/**
 * Puts a payment into each function and each loop of code that the schema engine generated: `pay$(units)`, by the
 * length of what it runs. Without loops and calls no code runs longer than it is.
 */
export function withPayments(code: string): string {
  const payments: Payment[] = [];
  const open: (Payment | null)[] = [];
  for (const { 0: token, index } of code.matchAll(tokens)) {
    const at = index + token.length;
    if (token === '{') open.push(null);
    else if (token === '}') {
      const loop = open.pop();
      if (loop) loop.units = 1 + Math.ceil((index - loop.at) / charactersOfUnit);
    } else if (token.startsWith('for(')) {
      const payment = { at, units: 1 };
      payments.push(payment);
      open.push(payment);
    } else if (token.startsWith('let')) {
      payments.push({ at, units: 1 + Math.ceil(code.length / charactersOfUnit) });
    }
  }
  let paid = 'const pay$ = self.pay$;';
  let from = 0;
  for (const { at, units } of payments) {
    paid += `${code.slice(from, at)}pay$(${units});`;
    from = at;
  }
  return paid + code.slice(from);
}
