/**
 * The names under which a program may be known: without its folder and the case that some file systems ignore, and
 * once more without its version.
 */
export function programNames(word: string): readonly string[] {
  const base = word.slice(Math.max(word.lastIndexOf('/'), word.lastIndexOf('\\')) + 1).toLowerCase();
  const plain = base.replace(/\.exe$/, '');
  const unversioned = plain.replace(/[-.]?\d+(\.\d+)*$/, '');
  return unversioned === '' || unversioned === plain ? [plain] : [plain, unversioned];
}
