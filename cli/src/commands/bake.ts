/** `bake`: each target is a build of its own, on the builder of its project, and all run at the same time. */
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import {
  type Definition,
  definitionFor,
  flagsForTarget,
  isRemoteDefinition,
  loadsImages,
  platformsOf,
  resolveDefinition,
} from "../builds/bake-definition.ts";
import { findTargetProjects } from "../builds/bake-projects.ts";
import { findBuildx } from "../builds/buildx-program.ts";
import { digestIn, type Metadata, readMetadata, writeMetadata } from "../builds/metadata.ts";
import { BUILDER } from "../builds/buildx-builder.ts";
import { type BuildPlace, EndedEarly, openBuild, type OpenBuild } from "../builds/open-build.ts";
import { openProgress, type Progress } from "../builds/open-progress.ts";
import { builderPlatforms, readSaveTags, ownPlatform } from "../builds/outputs.ts";
import {
  buildxEnv,
  findProjectId,
  formatEnd,
  prepare,
  progressMode,
  repositoryOf,
} from "../builds/prepare.ts";
import { type BuildxEnd, runBuildx, watchInterrupts } from "../builds/run-buildx.ts";
import { isOn, type Token, valuesOf, wordsOf } from "../builds/split-arguments.ts";
import type { Build } from "../client.ts";
import { requireDocker } from "../docker/find-engine.ts";
import { CliError, endWith } from "../errors.ts";
import { isFields } from "../registry/docker-config.ts";
import { type Invocation, requireProject } from "../session.ts";
import { cleanLines } from "../text.ts";

const MOST_TARGETS = 200;

export async function bake(call: Invocation): Promise<void> {
  const { theirs: tokens = [], flags, env } = call;
  using interrupts = watchInterrupts();
  const input = call.input === undefined ? "shared" : { text: call.input };
  if (isOn(tokens, "--print") || valuesOf(tokens, "--list").length > 0) {
    const program = await findBuildx(call);
    const { code } = await runBuildx({ program, args: ["bake", ...wordsOf(tokens)], env, input, interrupts });
    if (code !== 0) throw endWith(1);
    return;
  }
  const saveTags = readSaveTags(flags.texts("--save-tag"));
  await using prepared = await prepare(call, interrupts);
  const { place } = prepared;
  const run = { program: place.program, env, input, interrupts } as const;
  const definition = await resolveDefinition(run, tokens);
  if (definition.asked.length > MOST_TARGETS)
    throw new CliError(
      `too many targets (${definition.asked.length}): build at most ${MOST_TARGETS} at once`,
    );
  if (loadsImages(definition)) await requireDocker(call.env);
  const projects = await chooseProjects(call, place, definition);
  const save = flags.isSet("--save") || saveTags.length > 0;
  const ends = await buildAll({ call, tokens, place, definition, projects, save, saveTags });
  await report(call, tokens, ends);
  if (interrupts.count > 0) throw endWith(interrupts.exitCode);
  if (ends.some(({ build }) => build?.state !== "succeeded")) throw endWith(1);
}

/** @returns the id of each target's project */
async function chooseProjects(
  call: Invocation,
  place: BuildPlace,
  definition: Definition,
): Promise<Map<string, string>> {
  const { theirs: tokens = [], folder, env } = call;
  const run = { program: place.program, env, interrupts: place.interrupts };
  const files = valuesOf(tokens, "--file");
  const others = tokens.filter(({ flag }) => flag !== "--file");
  // Definitions from standard input or another machine cannot name projects.
  const isHere = !files.includes("-") && !isRemoteDefinition(tokens);
  const named = isHere
    ? await findTargetProjects(files, { folder, copies: place.folder.path }, async (copies) => {
        const given = copies.map((path) => ({ flag: "--file", value: path, words: ["--file", path] }));
        return (await resolveDefinition(run, [...given, ...others])).targets;
      })
    : {};
  const ids = new Map<string, string>();
  for (const target of definition.asked) {
    ids.set(target, await findProjectId(place.session, named[target] ?? (await requireProject(call))));
  }
  return ids;
}

interface AllBuilds {
  call: Invocation;
  tokens: readonly Token[];
  place: BuildPlace;
  definition: Definition;
  projects: Map<string, string>;
  save: boolean;
  saveTags: readonly string[];
}

interface TargetEnd {
  target: string;
  build: Build | undefined;
  metadata: Metadata;
  /** Names of saved images. */
  images: readonly string[];
  error?: unknown;
}

async function buildAll(all: AllBuilds): Promise<TargetEnd[]> {
  const { definition, place, call, tokens } = all;
  const { asked } = definition;
  using progress = asked.length === 1 ? undefined : openProgress(call, tokens);
  // A failed build ends the others, but the command does not count that as a signal.
  return await Promise.all(
    asked.map(async (target) => {
      const end = await buildTarget(all, target, progress).catch((error: unknown) => ({
        target,
        build: error instanceof EndedEarly ? error.build : undefined,
        metadata: {},
        images: [],
        ...(error instanceof EndedEarly ? {} : { error }),
      }));
      if (end.build?.state !== "succeeded" && !place.interrupts.signal.aborted) place.interrupts.stopAll();
      return end;
    }),
  );
}

async function buildTarget(
  all: AllBuilds,
  target: string,
  progress: Progress | undefined,
): Promise<TargetEnd> {
  const { place, definition, save, saveTags, projects, call } = all;
  const platforms = builderPlatforms(platformsOf(definition, target), call.flags.text("--build-platform"));
  const several = definition.asked.length > 1;
  const tags = saveTags.map((tag) => (several ? `${target}-${tag}` : tag));
  const open = await openBuild(place, {
    projectId: projects.get(target)!,
    save,
    saveTags: tags,
    platforms,
    target,
  });
  let code = 1;
  let metadata: Metadata = {};
  let failure = "";
  try {
    if (call.flags.isSet("--lint")) await lintTarget(all, target, open);
    ({ code, error: failure } = await runTarget(all, { target, tags, open, progress }));
    const written = (await readMetadata(join(open.path, "metadata.json")))[target];
    metadata = isFields(written) ? written : {};
  } catch (error) {
    failure = error instanceof Error ? error.message : String(error);
    const words = cleanLines(`millrace: ${target}: ${failure}`);
    if (failure !== "" && progress) progress.note(words);
    else if (failure !== "") call.terminal.err(`${words}\n`);
  }
  const build = await open.finish({
    code,
    digest: digestIn(metadata),
    ...(failure === "" ? {} : { error: failure }),
  });
  const images = save
    ? (tags.length > 0 ? tags : [build.id]).map((tag) => `${repositoryOf(place.session, build)}:${tag}`)
    : [];
  return { target, build, images, metadata: { ...metadata, "millrace.build": build.id } };
}

interface TargetRun {
  target: string;
  tags: readonly string[];
  open: OpenBuild;
  progress: Progress | undefined;
}

async function runTarget(all: AllBuilds, { target, tags, open, progress }: TargetRun): Promise<BuildxEnd> {
  const { definition, tokens, place, save } = all;
  const repository = save ? repositoryOf(place.session, open.build) : "";
  const names = save ? [open.build.id, ...tags].map((tag) => `${repository}:${tag}`) : [];
  const file = join(open.path, "bake.json");
  const own = definitionFor(definition, target, { save: names, platform: ownPlatform() });
  await writeFile(file, JSON.stringify(own), { mode: 0o600 });
  const mode = progressMode(tokens, place.env);
  const flags = flagsForTarget(
    progress ? tokens.filter(({ flag }) => flag !== "--progress" && flag !== "--quiet") : tokens,
  );
  return runBuildx({
    program: place.program,
    args: [
      "bake",
      "--builder",
      BUILDER,
      "--file",
      file,
      "--metadata-file",
      join(open.path, "metadata.json"),
      ...flags,
      ...(progress ? ["--progress=rawjson"] : []),
      target,
    ],
    env: buildxEnv(open.env, {
      asked: valuesOf(tokens, "--metadata-file").length > 0,
      mode,
    }),
    mode,
    input: progress ? "none" : "shared",
    ...(progress ? { onLine: (line: string) => progress.take(target, line) } : {}),
    interrupts: place.interrupts,
  });
}

async function lintTarget(
  { definition, call, place }: AllBuilds,
  target: string,
  open: OpenBuild,
): Promise<void> {
  const { lintDefinition } = await import("../builds/lint.ts");
  const file = join(open.path, "lint.json");
  const own = definitionFor(definition, target, { save: [], platform: ownPlatform() });
  await writeFile(file, JSON.stringify(own), { mode: 0o600 });
  await lintDefinition(
    { call, open, program: place.program, interrupts: place.interrupts },
    { file, target, targets: own.target },
  );
}

/** Prints a line for each target, and writes the metadata of all. */
async function report(call: Invocation, tokens: readonly Token[], ends: readonly TargetEnd[]): Promise<void> {
  const mode = progressMode(tokens, call.env);
  const width = Math.max(...ends.map(({ target }) => target.length)) + 1;
  for (const { target, build, images } of ends)
    if (build) call.terminal.err(formatEnd(build, mode, { target: target.padEnd(width), images }));
  const failed = ends.filter(({ error }) => error !== undefined);
  const file = valuesOf(tokens, "--metadata-file").at(-1);
  if (file !== undefined)
    await writeMetadata(
      file,
      Object.fromEntries(ends.filter(({ build }) => build).map(({ target, metadata }) => [target, metadata])),
    );
  // The first failure ended the other builds.
  if (failed[0]) throw failed[0].error;
}
