/** `build`: buildx on the project's builder. All flags but Millrace's own are passed on unchanged. */
import { join } from "node:path";
import { digestIn, readMetadata, writeMetadata } from "../builds/metadata.ts";
import { BUILDER } from "../builds/buildx-builder.ts";
import { EndedEarly, openBuild, type OpenBuild } from "../builds/open-build.ts";
import { builderPlatforms, readSaveTags, ownPlatform, withSaveOutput } from "../builds/outputs.ts";
import {
  buildxEnv,
  findProjectId,
  formatEnd,
  prepare,
  progressMode,
  repositoryOf,
} from "../builds/prepare.ts";
import { type BuildxEnd, type Interrupts, runBuildx, watchInterrupts } from "../builds/run-buildx.ts";
import { plainOf, type Token, valuesOf, wordsOf } from "../builds/split-arguments.ts";
import { requireDocker, wantsDocker } from "../docker/find-engine.ts";
import { CliError, endWith, usageError } from "../errors.ts";
import { type Invocation, requireProject } from "../session.ts";
import { cleanLines } from "../text.ts";

export async function build(call: Invocation): Promise<void> {
  const { theirs: tokens = [], flags } = call;
  if (plainOf(tokens).length === 0)
    throw usageError(
      "the build context is missing: run millrace build ., where . is the directory with the Dockerfile",
    );
  const saveTags = readSaveTags(flags.texts("--save-tag"));
  const named = await requireProject(call);
  if (wantsDocker(tokens)) await requireDocker(call.env);
  using interrupts = watchInterrupts();
  await using prepared = await prepare(call, interrupts);
  const { place, session } = prepared;
  const save = flags.isSet("--save") || saveTags.length > 0;
  const platforms = builderPlatforms(valuesOf(tokens, "--platform"), flags.text("--build-platform"));
  const projectId = await findProjectId(session, named);
  const open = await openBuild(place, { projectId, save, saveTags, platforms }).catch((error: unknown) => {
    if (error instanceof EndedEarly)
      call.terminal.err(formatEnd(error.build, progressMode(tokens, call.env)));
    throw error;
  });
  const command: OneBuild = { call, tokens, open, program: place.program, interrupts, save, saveTags };
  const ran = await runSteps(command).catch((cause: unknown) => {
    const error = cause instanceof Error ? cause.message : String(cause);
    if (error !== "") call.terminal.err(`millrace: ${cleanLines(error)}\n`);
    return { code: 1, error };
  });
  // The build exists now: an error must not make Docker build instead.
  await end(command, ran).catch((error: unknown) => {
    if (error instanceof CliError && error.message === "") throw error;
    const reason = error instanceof Error ? error.message : String(error);
    call.terminal.err(`millrace: ${cleanLines(reason)}\n`);
    throw endWith(1);
  });
}

interface OneBuild {
  call: Invocation;
  tokens: readonly Token[];
  open: OpenBuild;
  program: string;
  interrupts: Interrupts;
  save: boolean;
  saveTags: readonly string[];
}

async function runSteps(command: OneBuild): Promise<Ran> {
  const { call, tokens, open, program, interrupts } = command;
  if (call.flags.isSet("--lint")) {
    const { lint } = await import("../builds/lint.ts");
    await lint({ call, tokens, open, program, interrupts });
  }
  const metadata = join(open.path, "metadata.json");
  const kept = tokens.filter(({ flag }) => flag !== "--metadata-file");
  const words = command.save ? withSaveOutput(kept, saveNames(call, command)) : wordsOf(kept);
  const asked = kept.length < tokens.length;
  const mode = progressMode(tokens, call.env);
  return runBuildx({
    program,
    args: ["build", "--builder", BUILDER, "--metadata-file", metadata, ...platformOf(tokens), ...words],
    env: buildxEnv(open.env, { asked, mode }),
    mode,
    interrupts,
  });
}

type Ran = Pick<BuildxEnd, "code" | "error">;

/** Without this flag, a builder for another architecture would build for its own. */
export const platformOf = (tokens: readonly Token[]): string[] =>
  valuesOf(tokens, "--platform").length > 0 ? [] : ["--platform", ownPlatform()];

function saveNames({ session }: Invocation, { open: { build: registered }, saveTags }: OneBuild): string[] {
  const repository = repositoryOf(session!, registered);
  return [registered.id, ...saveTags].map((tag) => `${repository}:${tag}`);
}

/** The names that users expect: the tags that they chose, or the build's own. */
function keptNames(command: OneBuild): readonly string[] {
  if (!command.save) return [];
  const [own = "", ...chosen] = saveNames(command.call, command);
  return chosen.length > 0 ? chosen : [own];
}

async function end(command: OneBuild, { code, error }: Ran): Promise<void> {
  const { call, tokens, open, interrupts } = command;
  const metadata = await readMetadata(join(open.path, "metadata.json"));
  const reason = error === "" ? {} : { error };
  const ended = await open.finish({ code, digest: digestIn(metadata), ...reason });
  const file = valuesOf(tokens, "--metadata-file").at(-1);
  if (file !== undefined && code === 0)
    await writeMetadata(file, { ...metadata, "millrace.build": open.build.id });
  const mode = progressMode(tokens, call.env);
  call.terminal.err(formatEnd(ended, mode, { images: keptNames(command) }));
  if (interrupts.count > 0) throw endWith(interrupts.exitCode);
  if (code !== 0 || ended.state !== "succeeded") throw endWith(1);
}
