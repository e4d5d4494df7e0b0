/** Prepares `build` and `bake` before anything is built. */
import { findBuildx } from "./buildx-program.ts";
import { CliError, usageError } from "../errors.ts";
import { findProject } from "../find-project.ts";
import { connectTo, findCredential, type Invocation, type Session } from "../session.ts";
import type { Build } from "../client.ts";
import { cleanJson, cleanText } from "../text.ts";
import { readGitState } from "./git-state.ts";
import type { BuildPlace } from "./open-build.ts";
import { createLocalEnds } from "./local-ends.ts";
import { makePrivateFolder } from "./private-folder.ts";
import { type Interrupts } from "./run-buildx.ts";
import { isOn, type Token, valuesOf } from "./split-arguments.ts";

export interface Prepared extends AsyncDisposable {
  place: BuildPlace;
  session: Session;
}

/** @throws CliError without a credential or buildx */
export async function prepare(call: Invocation, interrupts: Interrupts): Promise<Prepared> {
  if (call.flags.isSet("--gpus"))
    throw usageError("--gpus needs a GPU builder, and this server has none: leave it out");
  // It never fails and runs in another process: the client's code is loaded in the meantime.
  const gitState = readGitState(call.folder, call.env);
  const credential = await findCredential(call);
  const program = await findBuildx(call);
  const [session, git, folder] = await Promise.all([
    connectTo(call, credential.origin, credential),
    gitState,
    makePrivateFolder(call.env, { host: new URL(credential.origin).host, token: credential.token }),
  ]);
  const ends = createLocalEnds({
    origin: credential.origin,
    folder: folder.path,
    err: (text) => call.terminal.err(text),
  });
  return {
    session,
    place: { session, program, env: call.env, folder, ends, git, interrupts },
    async [Symbol.asyncDispose]() {
      await ends[Symbol.asyncDispose]();
      await folder[Symbol.asyncDispose]();
    },
  };
}

export const findProjectId = async (session: Session, named: string): Promise<string> =>
  named.startsWith("prj_") ? named : (await findProject(session, named)).id;

const NAME_PART = /^[a-z0-9._-]{1,128}$/;

/** `build.acme.example/acme/web` */
export function repositoryOf({ origin }: Session, { organization, project }: Build): string {
  if (!NAME_PART.test(organization) || !NAME_PART.test(project))
    throw new CliError(`${origin} did not send the project's name`);
  return `${new URL(origin).host}/${organization}/${project}`;
}

/** The mode that buildx would choose: the last flag, or `BUILDKIT_PROGRESS`. */
export function progressMode(tokens: readonly Token[], env: NodeJS.ProcessEnv): string | undefined {
  if (isOn(tokens, "--quiet")) return "quiet";
  const given = valuesOf(tokens, "--progress").at(-1);
  return given === undefined || given === "auto" ? env["BUILDKIT_PROGRESS"] || given : given;
}

/** buildx' environment, except for the build's own variables. @param asked whether the user wants a metadata file */
export const buildxEnv = (
  env: NodeJS.ProcessEnv,
  { asked, mode }: { asked: boolean; mode: string | undefined },
): NodeJS.ProcessEnv => ({
  // Provenance takes time, and only the metadata file needs it.
  ...(asked ? {} : { BUILDX_METADATA_PROVENANCE: "disabled" }),
  // Otherwise buildx warns that no output was chosen. The variable has no other effect with remote builders.
  ...(mode === "quiet" ? { BUILDX_NO_DEFAULT_LOAD: "1" } : {}),
  ...env,
});

export interface EndDetails {
  /** The name of a Bake target, padded to the widest target. */
  target?: string;
  /** Names of saved images. */
  images?: readonly string[];
}

/** The last lines of a build, on standard error: standard output may be an archive. */
export function formatEnd(build: Build, mode: string | undefined, details: EndDetails = {}): string {
  const { target, images = [] } = build.state === "succeeded" ? details : { ...details, images: [] };
  const reason = build.state === "succeeded" ? "" : cleanText(build.error);
  if (mode === "rawjson") {
    const end = {
      build: build.id,
      state: build.state,
      ...(target === undefined ? {} : { target: target.trimEnd() }),
      ...(reason === "" ? {} : { error: reason }),
      ...(images.length === 0 ? {} : { images }),
    };
    return `${cleanJson({ millrace: end })}\n`;
  }
  const ended = cleanText(`${build.id} ${build.state}`);
  if (mode === "quiet" && build.state === "succeeded") return "";
  // buildx has printed the reason.
  if (mode === "quiet" && target === undefined) return `${ended}\n`;
  const start = target === undefined ? "" : `${cleanText(target)} `;
  const names = images.map((name) => `${cleanText(name)}\n`).join("");
  return `${start}${ended}${reason === "" ? "" : `: ${reason}`}\n${names}`;
}
