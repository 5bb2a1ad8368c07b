/** How a program that starts another one is told which. */
export interface WrapperSpec {
  /** Letters of options without a value. */
  readonly flags?: string;
  /** Letters of options whose value follows, in the same word or as the next. */
  readonly valued?: string;
  readonly longFlags?: readonly string[];
  /** Long options with a value, as `--name=value` or as two words. */
  readonly longValued?: readonly string[];
  /** Words between the options and the command, such as the time of `timeout`. */
  readonly operands?: number;
  /** NAME=value may stand before the command. */
  readonly assignments?: true;
  /** Words that count as one option, such as `-10` of `nice`. */
  readonly other?: RegExp;
  /** Without a command it starts nothing that is not in the text. */
  readonly aloneIsHarmless?: true;
  /** Options with which it only tells about the command. */
  readonly tells?: string;
}

/** Wrappers whose command is known exactly. An option that is not named here makes the line a doubt. */
export const wrapperTable: Readonly<Record<string, WrapperSpec>> = {
  env: {
    flags: 'i0v',
    valued: 'uCa',
    longFlags: ['ignore-environment', 'null', 'debug'],
    longValued: ['unset', 'chdir', 'argv0'],
    other: /^-$/,
    assignments: true,
    aloneIsHarmless: true,
  },
  sudo: {
    flags: 'AbBEHknPSN',
    valued: 'CDgpRrTtu',
    longFlags: [
      'askpass',
      'background',
      'bell',
      'set-home',
      'non-interactive',
      'stdin',
      'reset-timestamp',
      'preserve-groups',
      'preserve-env',
    ],
    longValued: [
      'close-from',
      'chdir',
      'group',
      'host',
      'prompt',
      'chroot',
      'role',
      'command-timeout',
      'type',
      'user',
      'other-user',
    ],
    assignments: true,
  },
  doas: { flags: 'Ln', valued: 'aCu' },
  pkexec: { longFlags: ['keep-cwd', 'disable-internal-agent'], longValued: ['user'] },
  nohup: {},
  nice: { valued: 'n', longValued: ['adjustment'], other: /^-\d+$/, aloneIsHarmless: true },
  ionice: { flags: 't', valued: 'cn', longFlags: ['ignore'], longValued: ['class', 'classdata'] },
  time: { flags: 'p', aloneIsHarmless: true },
  timeout: {
    flags: 'fpv',
    valued: 'ks',
    longFlags: ['foreground', 'preserve-status', 'verbose'],
    longValued: ['kill-after', 'signal'],
    operands: 1,
  },
  command: { flags: 'p', tells: 'vV', aloneIsHarmless: true },
  builtin: { aloneIsHarmless: true },
  noglob: {},
  nocorrect: {},
  stdbuf: { valued: 'ioe', longValued: ['input', 'output', 'error'] },
  setsid: { flags: 'cfw', longFlags: ['ctty', 'fork', 'wait'] },
  chroot: { longFlags: ['skip-chdir'], longValued: ['groups', 'userspec'], operands: 1 },
  strace: { flags: 'fFqtTvyYcCirxwkZz', valued: 'easpPSIbXU' },
  taskset: { flags: 'ac', longFlags: ['all-tasks', 'cpu-list'], operands: 1 },
  chrt: { flags: 'abfiorRv', operands: 1 },
  fakeroot: {},
  unbuffer: { flags: 'p' },
  busybox: {},
  toybox: {},
  caffeinate: { flags: 'dimsu' },
};

/** Shells that take a command line as a word. */
export const shells: ReadonlySet<string> = new Set([
  'sh',
  'bash',
  'dash',
  'ash',
  'zsh',
  'ksh',
  'mksh',
  'rbash',
]);

/** Shells with another language. */
export const foreignShells: ReadonlySet<string> = new Set(
  'cmd command.com powershell pwsh fish csh tcsh nu xonsh elvish rc es'.split(' '),
);

/** They take part of the command from their input, from files or from names that they find. */
export const inputWrappers: ReadonlySet<string> = new Set(
  'xargs gxargs parallel sem rush apply run-parts entr inotifywait watchexec batch'.split(' '),
);

/** They start what their words say, in ways that are not followed here. */
export const unclearWrappers: ReadonlySet<string> = new Set(
  (
    'su runuser sg newgrp script flock unshare nsenter setpriv setarch linux32 linux64 capsh start-stop-daemon ' +
    'systemd-run dbus-run-session dbus-launch xvfb-run prlimit softlimit cpulimit cgexec firejail bwrap proot schroot ' +
    'torsocks torify proxychains proxychains4 ssh-agent faketime valgrind perf rlwrap expect screen tmux at gosu ' +
    'su-exec choom numactl chpst setuidgid envdir envuidgid dotenv direnv ld.so ld-linux.so gdb gdbserver lldb ' +
    'logsave multitime hyperfine agetty openvt rtkit run0 sudoedit systemd-inhibit aa-exec runcon uftrace dtrace ltrace'
  ).split(' '),
);

/** Builtins that change what later words mean, or that read code out of words that look like plain text. */
export const stateBuiltins: ReadonlySet<string> = new Set(
  (
    'eval source . exec trap alias unalias function declare typeset local readonly export unset unsetenv set setopt ' +
    'unsetopt shopt enable disable hash rehash bind complete compgen compopt compdef let mapfile readarray read ' +
    'getopts fc jobs autoload zmodload emulate zcompile integer float coproc history vared zle sched'
  ).split(' '),
);
