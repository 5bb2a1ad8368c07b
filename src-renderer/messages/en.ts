import { attention } from './en/attention';
import { editing } from './en/editing';
import { grants } from './en/grants';
import { scope } from './en/scope';
import { serverTools } from './en/server-tools';
import { shell } from './en/shell';
import { tools } from './en/tools';
import { turns } from './en/turns';
import { work } from './en/work';

/** The catalogue. English is complete by definition; other languages are checked against it. */
export const en = {
  ...shell,
  ...work,
  ...tools,
  ...turns,
  ...editing,
  ...scope,
  ...grants,
  ...serverTools,
  ...attention,
} as const;

export type MessageName = keyof typeof en;
