import type { ArgumentCondition, GrantEntry, LastingScope } from '../../../src-preload/contract';

export interface GrantFilter {
  /** Part of a tool's name or of what the permission is narrowed to. */
  readonly text: string;
  /** Null: all. */
  readonly coworker_id: string | null;
  readonly scope: LastingScope | null;
  readonly sort: 'used' | 'made';
}

export const noFilter: GrantFilter = { text: '', coworker_id: null, scope: null, sort: 'used' };

export interface ListedGrants {
  readonly in_force: readonly GrantEntry[];
  readonly ended: readonly GrantEntry[];
}

export function narrows(filter: GrantFilter): boolean {
  return filter.text.trim() !== '' || filter.coworker_id !== null || filter.scope !== null;
}

function conditionText(condition: ArgumentCondition): string {
  switch (condition.type) {
    case 'exact':
      return `${condition.at} ${typeof condition.value === 'string' ? condition.value : JSON.stringify(condition.value)}`;
    case 'folder':
      return `${condition.at} ${condition.folder}`;
    case 'host':
      return `${condition.at} ${condition.host}`;
    case 'command':
      return condition.words.join(' ');
  }
}

function textOf({ grant }: GrantEntry): string {
  return [grant.qualified_name, ...(grant.pattern ?? []).map(conditionText)].join('\n').toLocaleLowerCase();
}

function matches(entry: GrantEntry, filter: GrantFilter, words: string): boolean {
  const { grant } = entry;
  return (
    (filter.coworker_id === null || grant.coworker_id === filter.coworker_id) &&
    (filter.scope === null || grant.scope === filter.scope) &&
    (words === '' || textOf(entry).includes(words))
  );
}

const newestFirst = (a: string, b: string): number => (a < b ? 1 : a > b ? -1 : 0);

/** By last use: those never used come last, the newest of them first. */
function byUse(a: GrantEntry, b: GrantEntry): number {
  return newestFirst(a.last_used_at ?? '', b.last_used_at ?? '') || newestFirst(a.made_at, b.made_at);
}

/** What the person wants to see, those in force apart from those that have ended. */
export function listedGrants(entries: readonly GrantEntry[], filter: GrantFilter): ListedGrants {
  const words = filter.text.trim().toLocaleLowerCase();
  const found = entries
    .filter((entry) => matches(entry, filter, words))
    .sort(filter.sort === 'used' ? byUse : (a, b) => newestFirst(a.made_at, b.made_at));
  return {
    in_force: found.filter(({ ended }) => ended === null),
    ended: found.filter(({ ended }) => ended !== null),
  };
}
