/**
 * How well a query fits a relative path: null when its letters do not occur in order, else higher is better. Whole
 * runs in the file's own name count most, then starts of words, then anything; shorter paths win ties.
 */
export function fuzzyScore(query: string, path: string): number | null {
  const wanted = query.toLowerCase();
  const text = path.toLowerCase();
  if (wanted === '') return -path.split('/').length * 1000 - path.length;
  const nameStart = text.lastIndexOf('/') + 1;
  const run = text.indexOf(wanted, nameStart);
  if (run === nameStart) return 3000 - path.length;
  if (run > nameStart) return (isWordStart(path, run) ? 2500 : 2000) - path.length;
  const anywhere = text.indexOf(wanted);
  if (anywhere >= 0) return (isWordStart(path, anywhere) ? 1500 : 1200) - path.length;
  return scattered(wanted, path, text);
}

function isWordStart(path: string, index: number): boolean {
  if (index === 0) return true;
  const before = path.charAt(index - 1);
  if (/[/._ -]/.test(before)) return true;
  return /[a-z]/.test(before) && /[A-Z]/.test(path.charAt(index));
}

function scattered(wanted: string, path: string, text: string): number | null {
  let at = -1;
  let score = 0;
  for (const char of wanted) {
    const next = text.indexOf(char, at + 1);
    if (next < 0) return null;
    score += next === at + 1 ? 8 : isWordStart(path, next) ? 6 : 1;
    at = next;
  }
  return score - path.length / 100;
}
