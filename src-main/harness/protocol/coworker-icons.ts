/** The icons that a coworker can have; their names in the manifest. */
export const coworkerIcons = [
  'book',
  'bot',
  'briefcase',
  'calendar',
  'code',
  'compass',
  'folder',
  'globe',
  'image',
  'mail',
  'pencil',
  'search',
  'sparkles',
  'wrench',
] as const;

export type CoworkerIconName = (typeof coworkerIcons)[number];

export function isCoworkerIcon(name: string): name is CoworkerIconName {
  return coworkerIcons.some((known) => known === name);
}
