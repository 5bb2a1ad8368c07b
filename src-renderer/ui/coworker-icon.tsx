import {
  BookOpen,
  Bot,
  Briefcase,
  Calendar,
  Code,
  Compass,
  Folder,
  Globe,
  Image,
  Mail,
  Pencil,
  Search,
  Sparkles,
  Wrench,
} from 'lucide-react';
import type { ReactNode } from 'react';
import { isCoworkerIcon, type CoworkerIconName } from '../../src-preload/contract';
import type { IconType } from './buttons';
import './coworker-icon.css';

const icons: Readonly<Record<CoworkerIconName, IconType>> = {
  book: BookOpen,
  bot: Bot,
  briefcase: Briefcase,
  calendar: Calendar,
  code: Code,
  compass: Compass,
  folder: Folder,
  globe: Globe,
  image: Image,
  mail: Mail,
  pencil: Pencil,
  search: Search,
  sparkles: Sparkles,
  wrench: Wrench,
};

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
  const Icon = isCoworkerIcon(props.icon) ? icons[props.icon] : Bot;
  const size = props.large ? ' large' : '';
  return (
    <span className={`coworker-icon tint-${tintOf(props.id)}${size}`} aria-hidden>
      <Icon size={props.large ? 18 : 14} />
    </span>
  );
}
