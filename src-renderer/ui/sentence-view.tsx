import {
  ArrowRight,
  FileText,
  Folder,
  MessageSquare,
  Pencil,
  Search,
  Terminal,
  Trash2,
  Wrench,
} from 'lucide-react';
import type { ReactNode } from 'react';
import { RichText } from '../messages/use-text';
import type { IconType } from './buttons';
import { middleCut } from './long-text';
import type { Sentence, SentenceIcon } from './tool-sentence';
import { VisibleText } from './visible-text';

const icons: Readonly<Record<SentenceIcon, IconType>> = {
  list: Folder,
  read: FileText,
  search: Search,
  move: ArrowRight,
  write: Pencil,
  delete: Trash2,
  run: Terminal,
  message: MessageSquare,
  tool: Wrench,
};

export function SentenceIconView({ icon }: { readonly icon: SentenceIcon }): ReactNode {
  const Icon = icons[icon];
  return <Icon size={16} aria-hidden />;
}

/** One line about a call. What it names is shortened where it is long; the arguments say it in full. */
export function SentenceView({ sentence }: { readonly sentence: Sentence }): ReactNode {
  const slots = Object.fromEntries(
    Object.entries(sentence.slots).map(([name, value]) => [
      name,
      <strong key={name}>
        <VisibleText text={middleCut(value)} />
      </strong>,
    ]),
  );
  return <RichText message={sentence.message} slots={slots} />;
}
