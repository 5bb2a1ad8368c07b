import path from 'node:path';
import type { Problem } from '../protocol';
import { openWorkspace, type Workspace } from '../workspace';
import { bundleLimits, type BundleReading, type BundleSource } from './bundle';
import { findHiddenCharacters } from './hidden-characters';
import { hasError, problemAt, problemFrom } from './problem';
import { manifestFile, readManifest, type ManifestRead } from './read-manifest';
import { readSkills } from './read-skills';
import { readText } from './read-text';
import { readTools } from './read-tools';
import { noTools, toolsFile, type ToolsRead } from './tools-json';
import { digestFiles, walkBundle } from './walk-files';

async function manifestOf(bundle: Workspace): Promise<ManifestRead> {
  const read = await readText(bundle, manifestFile, bundleLimits.manifest_bytes);
  if (!read.ok) return { manifest: null, known: {}, problems: [read.problem] };
  const manifest = readManifest(read.text);
  return { ...manifest, problems: [...manifest.problems, ...findHiddenCharacters(manifestFile, read.text)] };
}

async function toolsOf(bundle: Workspace): Promise<ToolsRead> {
  const read = await readText(bundle, toolsFile, bundleLimits.tools_bytes);
  if (read.ok) {
    const tools = readTools(read.text);
    return { ...tools, problems: [...tools.problems, ...findHiddenCharacters(toolsFile, read.text)] };
  }
  const problem = read.missing
    ? problemAt(
        { file: toolsFile },
        'the file is missing. Create it with { "version": 3, "tools": [] } and list the tools in it.',
        'not_found',
      )
    : read.problem;
  return noTools(3, [problem]);
}

/** One line per fault: a file that two checks stumble over is reported once. */
function withoutRepeats(problems: readonly Problem[]): Problem[] {
  const seen = new Set<string>();
  return problems.filter((problem) => {
    const key = `${problem.severity} ${problem.message}`;
    return seen.has(key) ? false : seen.add(key) !== undefined;
  });
}

/**
 * Reads a coworker bundle out of `folder` (S0-24..S0-26) and answers all its problems, each with file, line where it
 * is known, and remedy. Reads only; runs nothing; never throws for what a folder may hold.
 */
export async function readBundle(folder: string, source: BundleSource): Promise<BundleReading> {
  const absolute = path.resolve(folder);
  const parts = {
    tools_version: 3 as const,
    tools: [],
    tool_lines: new Map<string, number>(),
    instructions: '',
    instructions_line: 1,
    skills: [],
  };
  const nothing = { folder: absolute, source, bundle: null, known: {}, tools: [], skills: [], parts };
  const opened = await openWorkspace(absolute);
  if (!opened.ok) return { ...nothing, problems: [problemFrom({ file: absolute }, opened.error)] };
  const workspace = opened.value;
  const walked = await walkBundle(workspace);
  const manifest = await manifestOf(workspace);
  const tools = await toolsOf(workspace);
  const skills = await readSkills(workspace, walked.files);
  const digested = await digestFiles(workspace, walked.files);
  const problems = withoutRepeats([
    ...manifest.problems,
    ...tools.problems,
    ...skills.problems,
    ...walked.problems,
    ...digested.problems,
  ]);
  const complete = manifest.manifest !== null && !hasError(problems);
  return {
    folder: absolute,
    source,
    bundle: complete
      ? {
          ...manifest.manifest,
          tools_version: tools.version,
          tools: tools.tools,
          tool_lines: tools.lines,
          skills: skills.skills,
          digest: digested.digest,
          folder: absolute,
        }
      : null,
    known: manifest.known,
    tools: tools.listed,
    skills: skills.listed,
    parts: {
      tools_version: tools.version,
      tools: tools.tools,
      tool_lines: tools.lines,
      instructions: manifest.known.instructions ?? '',
      instructions_line: manifest.known.instructions_line ?? 1,
      skills: skills.skills,
    },
    problems,
  };
}
