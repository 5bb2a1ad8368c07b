/** Why nobody can tell what a command line would run. Codes are stable; windows have words for them. */
export const commandDoubts = [
  // the text as a whole
  'empty',
  'too_long',
  'too_slow',
  'too_many_commands',
  'too_deep',
  'shell_not_read',
  'reader_unavailable',
  // characters that a person may misread
  'control_character',
  'misleading_character',
  // parts that the shell replaces when it runs
  'variable',
  'command_substitution',
  'process_substitution',
  'quoted_escapes',
  'translated_string',
  'glob',
  'brace_expansion',
  'tilde',
  'here_document',
  'here_string',
  // commands about commands
  'grouping',
  'control_structure',
  'shell_state',
  'wrapper_unclear',
  'words_from_input',
  'commands_from_input',
  // what is no command line, or not the same one for every reader
  'line_break_in_word',
  'unfinished',
  'syntax',
  'readers_disagree',
] as const;

export type CommandDoubt = (typeof commandDoubts)[number];

/** One simple command of a command line, with every word literal. */
export interface CommandSegment {
  readonly words: readonly string[];
  readonly assignments: readonly { readonly name: string; readonly value: string }[];
  /** The operator with its descriptor, such as "2>&" or ">>". */
  readonly redirections: readonly { readonly operator: string; readonly target: string }[];
  /** How it joins the one before; within each wrapper it begins anew with "first". */
  readonly connector: 'first' | 'and' | 'or' | 'pipe' | 'sequence' | 'background';
  /** It is left running while the shell goes on, by an ampersand behind it. */
  readonly background?: true;
  /** Wrappers that it was found in, the outermost first. The wrapper is a segment too, before this one. */
  readonly via: readonly string[];
}

/** A command line as a shell would read it, or why nobody can tell. `at` is in UTF-16 units of `text`. */
export type CommandReading =
  | { readonly type: 'read'; readonly text: string; readonly segments: readonly CommandSegment[] }
  | {
      readonly type: 'uninspectable';
      readonly text: string;
      readonly reason: CommandDoubt | (string & {});
      readonly at: readonly [number, number];
    };
