/** Options of one program that only change what it shows, and not what it runs, loads, asks or writes. */
export interface HarmlessOptions {
  /** Letters, alone or together behind one dash. Where one takes a value, that is the next word. */
  readonly letters?: string;
  /** Letters that may have a number right behind them, as in `-n5`. */
  readonly counts?: string;
  /** Letters that may have any text right behind them, as in `-Sname`. */
  readonly attached?: string;
  /** A number alone, as in `-5`. */
  readonly number?: true;
  /** Long options without their dashes. `name=` may have a value behind the sign, or the next word as one. */
  readonly long?: string;
  /**
   * Whether names and paths may follow; otherwise only options may. `onlyWith` has to be the first option: further
   * behind it might be the value of another one.
   */
  readonly operands: 'any' | 'none' | { readonly onlyWith: string };
  /** Text that makes any word more than a name. */
  readonly never?: RegExp;
}

/** A format that has signatures checked makes git start another program. */
const signatures = /%G/;

const revisions =
  'oneline graph all decorate= no-decorate stat= shortstat numstat name-only name-status summary abbrev-commit ' +
  'no-abbrev-commit abbrev= no-merges merges first-parent reverse follow patch no-patch max-count= skip= since= after= ' +
  'until= before= author= committer= grep= all-match invert-grep regexp-ignore-case extended-regexp fixed-strings ' +
  'perl-regexp pretty= format= date= relative-date no-color color= date-order topo-order author-date-order branches= ' +
  'tags= remotes= find-renames= find-copies= no-renames ignore-all-space ignore-space-change ignore-blank-lines ' +
  'word-diff= color-words unified= left-right cherry-pick cherry-mark no-ext-diff no-textconv minimal patience ' +
  'histogram diff-algorithm= full-index raw no-notes parents children boundary simplify-by-decoration diff-filter= ' +
  'pickaxe-regex pickaxe-all function-context inter-hunk-context= compact-summary dirstat= no-prefix relative= full-history';

const log: HarmlessOptions = {
  letters: 'pusniEFPSGLMCwbgzWR',
  counts: 'nUMC',
  attached: 'SGL',
  number: true,
  long: revisions,
  operands: 'any',
  never: signatures,
};
const diff: HarmlessOptions = {
  ...log,
  letters: 'pusSGMCwbzWR',
  long: `${revisions} cached staged merge-base check exit-code quiet`,
};
const nothing: HarmlessOptions = { operands: 'none' };
const npmScript: HarmlessOptions = {
  letters: 's',
  long: 'silent quiet no-color color= no-audit no-fund no-update-notifier',
  operands: 'none',
};

/** By the words that a command begins with; the longest that fit count. */
export const harmlessOptions: Readonly<Record<string, HarmlessOptions>> = {
  'git log': log,
  'git show': log,
  'git diff': diff,
  'git status': {
    letters: 'sbvuz',
    attached: 'u',
    long:
      'short branch show-stash porcelain= long verbose untracked-files= ignored= ignore-submodules= column= no-column ' +
      'ahead-behind no-ahead-behind renames no-renames find-renames=',
    operands: 'any',
  },
  'git branch': {
    letters: 'larvi',
    long:
      'list all remotes verbose show-current contains= no-contains= merged= no-merged= points-at= sort= format= column= ' +
      'no-column color= no-color abbrev= no-abbrev ignore-case',
    operands: { onlyWith: '--list' },
    never: signatures,
  },
  'git rev-parse': {
    long:
      'abbrev-ref= short= show-toplevel show-prefix show-cdup git-dir git-common-dir verify quiet symbolic ' +
      'symbolic-full-name is-inside-work-tree is-bare-repository absolute-git-dir all branches= tags= remotes=',
    letters: 'q',
    operands: 'any',
  },
  'git ls-files': {
    letters: 'cdmostvkz',
    long: 'cached deleted modified others stage exclude-standard error-unmatch full-name unmerged killed eol',
    operands: 'any',
  },
  'git blame': {
    letters: 'lsewfntLMC',
    attached: 'L',
    long: 'porcelain line-porcelain show-name show-number show-email date= root abbrev=',
    operands: 'any',
  },
  'git shortlog': { ...log, letters: 'nse', long: `${revisions} numbered summary email group=` },
  'git add': { letters: 'Aunv', long: 'all update dry-run verbose intent-to-add', operands: 'any' },
  'git commit': {
    letters: 'amqvs',
    attached: 'm',
    long: 'all message= quiet verbose signoff allow-empty',
    operands: 'any',
  },
  'npm test': npmScript,
  'npm run': { operands: 'none' },
  'npm --version': nothing,
  'node --version': nothing,
  'python --version': nothing,
  'git --version': nothing,
  'pnpm test': nothing,
  'yarn test': nothing,
  ls: {
    letters: 'aAbBcCdDfFgGhHiIklLmnNopqQrRsStTuUvwxXZ1',
    counts: 'wT',
    long:
      'all almost-all author escape ignore-backups classify= color= directory dired file-type format= full-time ' +
      'group-directories-first no-group human-readable si dereference dereference-command-line hide= indicator-style= ' +
      'inode ignore= kibibytes literal numeric-uid-gid hide-control-chars show-control-chars quote-name quoting-style= ' +
      'reverse recursive size sort= time= time-style= tabsize= width= context zero block-size=',
    operands: 'any',
  },
  cat: {
    letters: 'AbeEnstTuv',
    long: 'show-all number-nonblank show-ends number squeeze-blank show-tabs show-nonprinting',
    operands: 'any',
  },
  grep: {
    letters: 'aABcCEeFfGHhiIlLmnoPqRrsTvwxyzZ',
    counts: 'ABCm',
    attached: 'e',
    number: true,
    long:
      'include= exclude= exclude-dir= color= colour= line-number recursive dereference-recursive ignore-case ' +
      'no-ignore-case count files-with-matches files-without-match max-count= context= after-context= before-context= ' +
      'word-regexp line-regexp extended-regexp fixed-strings basic-regexp perl-regexp only-matching invert-match ' +
      'no-filename with-filename quiet silent text binary-files= null no-messages byte-offset regexp= initial-tab ' +
      'directories= devices=',
    operands: 'any',
  },
  rg: {
    letters: 'ABceCFgHiIlLmnNopqrsStTuUvwx0',
    counts: 'ABCm',
    attached: 'egtT',
    long:
      'after-context= before-context= context= case-sensitive count count-matches files files-with-matches ' +
      'files-without-match fixed-strings glob= iglob= heading no-heading hidden ignore-case invert-match line-number ' +
      'no-line-number max-count= max-depth= multiline no-filename with-filename no-ignore no-ignore-vcs only-matching ' +
      'quiet regexp= smart-case sort= sortr= stats text trim type= type-not= type-list vimgrep word-regexp line-regexp ' +
      'json color= column pcre2 null passthru no-messages no-config replace=',
    operands: 'any',
  },
  head: {
    letters: 'cnqvz',
    counts: 'cn',
    number: true,
    long: 'bytes= lines= quiet silent verbose zero-terminated',
    operands: 'any',
  },
  tail: {
    letters: 'cfFnqrvz',
    counts: 'cn',
    number: true,
    long: 'bytes= lines= follow= quiet silent verbose zero-terminated retry',
    operands: 'any',
  },
  wc: { letters: 'clLmw', long: 'bytes chars lines max-line-length words total=', operands: 'any' },
  sort: {
    letters: 'bdfghiMnRrVcCkmstuz',
    attached: 'kt',
    long:
      'ignore-leading-blanks dictionary-order ignore-case general-numeric-sort ignore-nonprinting month-sort ' +
      'human-numeric-sort numeric-sort random-sort reverse version-sort check= key= merge stable field-separator= ' +
      'unique zero-terminated sort=',
    operands: 'any',
  },
  cut: {
    letters: 'bcdfnsz',
    attached: 'bcdf',
    long: 'bytes= characters= delimiter= fields= complement only-delimited output-delimiter= zero-terminated',
    operands: 'any',
  },
  pwd: { letters: 'LP', long: 'logical physical', operands: 'none' },
  echo: { letters: 'neE', operands: 'any' },
  du: {
    letters: 'abcdhHklLmsxS0',
    counts: 'd',
    long: 'all apparent-size bytes total dereference max-depth= human-readable si summarize one-file-system exclude= time=',
    operands: 'any',
  },
  df: {
    letters: 'ahHiklPtTx',
    long: 'all human-readable si inodes local portability print-type type= exclude-type= total block-size=',
    operands: 'any',
  },
  stat: { letters: 'Lcft', long: 'dereference format= file-system terse printf=', operands: 'any' },
  uname: {
    letters: 'asnrvmpio',
    long: 'all kernel-name nodename kernel-release kernel-version machine processor operating-system',
    operands: 'none',
  },
  whoami: nothing,
  which: { letters: 'as', long: 'all', operands: 'any' },
};
