import {
  BookOpen,
  Bot,
  Briefcase,
  Calendar,
  Code,
  Compass,
  Folder,
  Globe,
  Mail,
  Pencil,
  Search,
  Sparkles,
  Wrench,
} from 'lucide-react';
import type { ReactNode } from 'react';
import type { IconType } from './buttons';
import './coworker-icon.css';

const icons: Readonly<Record<string, IconType>> = {
  folder: Folder,
  code: Code,
  pencil: Pencil,
  book: BookOpen,
  compass: Compass,
  globe: Globe,
  mail: Mail,
  search: Search,
  sparkles: Sparkles,
  wrench: Wrench,
  calendar: Calendar,
  briefcase: Briefcase,
};

function iconOf(name: string): IconType {
  const key = Object.keys(icons).find((known) => name.toLowerCase().includes(known));
  return (key === undefined ? undefined : icons[key]) ?? Bot;
}

/** One of four tints, always the same for one coworker. */
function tintOf(id: string): number {
  let sum = 0;
  for (const character of id) sum = (sum * 31 + (character.codePointAt(0) ?? 0)) % 9973;
  return sum % 4;
}

export function CoworkerIcon(props: {
  readonly id: string;
  readonly icon: string;
  readonly large?: boolean;
}): ReactNode {
  const Icon = iconOf(props.icon);
  const size = props.large ? ' large' : '';
  return (
    <span className={`coworker-icon tint-${tintOf(props.id)}${size}`} aria-hidden>
      <Icon size={props.large ? 18 : 14} />
    </span>
  );
}
