import { attention } from './de/attention';
import { editing } from './de/editing';
import { grants } from './de/grants';
import { scope } from './de/scope';
import { serverTools } from './de/server-tools';
import { shell } from './de/shell';
import { tools } from './de/tools';
import { turns } from './de/turns';
import { work } from './de/work';
import type { MessageName } from './en';

export const de: Readonly<Record<MessageName, string>> = {
  ...shell,
  ...work,
  ...tools,
  ...turns,
  ...editing,
  ...scope,
  ...grants,
  ...serverTools,
  ...attention,
};
