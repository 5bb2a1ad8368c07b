import type { Bundle } from './bundle';

/** The system prompt of a coworker: its instructions, then the list of its skills, if it has any. */
export function instructionsFor(bundle: Pick<Bundle, 'instructions' | 'skills'>): string {
  if (bundle.skills.length === 0) return bundle.instructions;
  const list = bundle.skills.map((skill) => `- ${skill.name}: ${skill.description.replace(/\s+/g, ' ')}`);
  return `${bundle.instructions}\n\n## Skills\n\n${list.join('\n')}`;
}
