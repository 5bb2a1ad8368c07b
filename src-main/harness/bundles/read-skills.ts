import type { Problem } from '../protocol';
import type { Workspace } from '../workspace';
import { bundleLimits, idPattern, maxIdLength, type Skill } from './bundle';
import { createFieldReader } from './field-checks';
import { readFrontmatter } from './frontmatter';
import { findHiddenCharacters } from './hidden-characters';
import { problemAt } from './problem';
import { readText } from './read-text';

export interface SkillsRead {
  readonly skills: readonly Skill[];
  /** Names of all skill folders, also of those with problems. */
  readonly listed: readonly string[];
  readonly problems: readonly Problem[];
}

const prefix = 'coworker/skills/';

/** The file of a skill, as problems name it. */
export function skillFile(name: string): string {
  return `${prefix}${name}/SKILL.md`;
}

function parseSkill(
  folder: string,
  file: string,
  text: string,
): { skill: Skill | null; problems: Problem[] } {
  const header = readFrontmatter(file, text);
  const fields = createFieldReader(file, header);
  const name = fields.text('name', {
    max: maxIdLength,
    single_line: true,
    pattern: idPattern,
    remedy: 'Use lower-case letters, digits and single dashes.',
  });
  const description = fields.text('description', { max: 1_024 });
  if (name !== null && name !== folder) {
    const text = `"name" is "${name}", but the skill's folder is "${folder}". Give both the same name.`;
    fields.refuse(fields.field('name')?.line, text);
  }
  if (header.problems.length === 0 && header.body === '') {
    fields.refuse(header.body_line, 'the skill has no text. Write below the header how it is done.');
  }
  const problems = header.problems.length > 0 ? [...header.problems] : [...fields.problems];
  if (problems.length > 0 || name === null || description === null) return { skill: null, problems };
  return { skill: { name, description, body: header.body, body_line: header.body_line }, problems };
}

/** Reads every `skills/NAME/SKILL.md` of a bundle. `files` are the bundle's files as `walkBundle` found them. */
export async function readSkills(bundle: Workspace, files: readonly string[]): Promise<SkillsRead> {
  const inside = files.filter((file) => file.startsWith(prefix)).map((file) => file.slice(prefix.length));
  const problems: Problem[] = inside
    .filter((file) => !file.includes('/'))
    .map((file) =>
      problemAt(
        { file: prefix + file, severity: 'warning' },
        'it is no skill and is ignored. A skill is a folder with a file SKILL.md.',
      ),
    );
  const folders = [
    ...new Set(inside.filter((file) => file.includes('/')).map((file) => file.split('/')[0] ?? '')),
  ];
  if (folders.length > bundleLimits.skills) {
    const text = `there are ${folders.length} skills; at most ${bundleLimits.skills} are allowed. Remove some.`;
    return { skills: [], listed: [], problems: [...problems, problemAt({ file: 'coworker/skills' }, text)] };
  }
  const skills: Skill[] = [];
  for (const folder of folders) {
    const file = skillFile(folder);
    const read = await readText(bundle, file, bundleLimits.skill_bytes);
    if (!read.ok) {
      problems.push(read.problem);
      continue;
    }
    const parsed = parseSkill(folder, file, read.text);
    problems.push(...parsed.problems, ...findHiddenCharacters(file, read.text));
    if (parsed.skill !== null) skills.push(parsed.skill);
  }
  return { skills, listed: folders, problems };
}
