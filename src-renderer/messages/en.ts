import { shell } from './en/shell';
import { tools } from './en/tools';
import { turns } from './en/turns';
import { work } from './en/work';

/** The catalogue. English is complete by definition; other languages are checked against it. */
export const en = { ...shell, ...work, ...tools, ...turns } as const;

export type MessageName = keyof typeof en;
