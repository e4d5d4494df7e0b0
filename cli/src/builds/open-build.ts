/** One build on the server: registered, given its builders, and closed in every case. */
import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { Code, ConnectError } from "@connectrpc/connect";
import type { Build, BuilderServiceGetEndpointResponse } from "../client.ts";
import { CliError } from "../errors.ts";
import type { Session } from "../session.ts";
import { writeBuilder } from "./buildx-builder.ts";
import { jobLabels } from "./job-labels.ts";
import type { GitState } from "./git-state.ts";
import type { LocalEnds } from "./local-ends.ts";
import type { PrivateFolder } from "./private-folder.ts";
import type { Interrupts } from "./run-buildx.ts";

const FINISH_TRIES = 4;
const FINISH_PAUSE_MS = 1000;
const MAX_ERROR = 1000;

export interface BuildPlace {
  session: Session;
  /** The path of buildx. */
  program: string;
  env: NodeJS.ProcessEnv;
  folder: PrivateFolder;
  ends: LocalEnds;
  git: GitState;
  interrupts: Interrupts;
}

export interface BuildRequest {
  projectId: string;
  save: boolean;
  saveTags: readonly string[];
  /** `linux/arm64`; each has a builder of its own. */
  platforms: readonly string[];
  /** The target of a Bake file. */
  target?: string;
}

export interface OpenBuild {
  build: Build;
  /** For buildx. */
  env: NodeJS.ProcessEnv;
  /** For files of this build. */
  path: string;
  /** @returns the ended build, as the server records it */
  finish: (result: { code: number; digest?: string | undefined; error?: string }) => Promise<Build>;
}

/** @throws CliError or ConnectError; then the build has ended already */
export async function openBuild(place: BuildPlace, request: BuildRequest): Promise<OpenBuild> {
  const { session, folder, env, git } = place;
  const labels = {
    ...(git.title === "" ? {} : { title: git.title }),
    ...jobLabels(env),
    ...(request.target === undefined ? {} : { target: request.target }),
  };
  const { projectId, save, saveTags } = request;
  const { build } = await session.api.builds.createBuild(
    { projectId, save, saveTags: [...saveTags], labels, branch: git.branch, commitSha: git.commitSha },
    { headers: { "Idempotency-Key": randomUUID() } },
  );
  if (!build) throw new CliError("the server sent no build");
  try {
    const { path, buildx } = await folder.makeBuildFolder(build.id);
    // The user's choice of a builder applies to other programs only.
    const { BUILDX_BUILDER: _, ...others } = env;
    const ofBuild = { ...others, DOCKER_CONFIG: folder.docker, BUILDX_CONFIG: buildx };
    const nodes = request.platforms.map(async (platform) => {
      const endpoint = await askEndpoint(place, build.id, platform);
      return { platform, endpoint, address: await place.ends.reach(endpoint) };
    });
    await writeBuilder(await Promise.all(nodes), { buildx, path });
    const finish: OpenBuild["finish"] = (result) => finishBuild(place, build, result);
    return { build, env: ofBuild, path, finish };
  } catch (error) {
    const ended = await closeEarly(place, build, error);
    throw ended ? new EndedEarly(ended, place.interrupts.exitCode) : error;
  }
}

/** The build was canceled before it got a builder: by a signal, or by someone else. */
export class EndedEarly extends CliError {
  readonly build: Build;
  constructor(build: Build, exitCode: number) {
    super("", exitCode);
    this.build = build;
  }
}

/** @returns the build if it was canceled; undefined if it got no builder: then its record says why */
async function closeEarly(
  { session, interrupts }: BuildPlace,
  build: Build,
  error: unknown,
): Promise<Build | undefined> {
  const { builds } = session.api;
  const buildId = build.id;
  if (interrupts.signal.aborted) {
    const canceled = await builds.cancelBuild({ buildId }).catch(() => undefined);
    return canceled?.build ?? { ...build, state: "canceled" };
  }
  const known = await builds.getBuild({ buildId }).catch(() => undefined);
  if (known?.build && hasEnded(known.build)) return known.build;
  const reason = error instanceof ConnectError ? error.rawMessage : String(error);
  // Reported as failed, not as canceled: no one canceled it.
  const report = { buildId, succeeded: false, error: reason.slice(0, MAX_ERROR) };
  await builds.finishBuild(report).catch(() => undefined);
  return undefined;
}

const hasEnded = ({ state }: Build): boolean => !/^(?:queued|running)$/.test(state);

/** While all builders are busy, each request ends with DeadlineExceeded after a while. */
async function askEndpoint(
  { session, interrupts }: BuildPlace,
  buildId: string,
  platform: string,
): Promise<BuilderServiceGetEndpointResponse> {
  for (;;) {
    try {
      return await session.api.builders.getEndpoint(
        { buildId, platform, tunnel: true },
        { signal: interrupts.signal },
      );
    } catch (error) {
      const isWaiting = error instanceof ConnectError && error.code === Code.DeadlineExceeded;
      if (!isWaiting || interrupts.signal.aborted) throw error;
    }
  }
}

async function finishBuild(
  { session, interrupts, ends }: BuildPlace,
  build: Build,
  {
    code,
    digest = "",
    error = `buildx exited with code ${code}`,
  }: { code: number; digest?: string | undefined; error?: string },
): Promise<Build> {
  const { builds } = session.api;
  const buildId = build.id;
  const succeeded = code === 0;
  if (!succeeded) ends.tell();
  const tell = async (): Promise<Build | undefined> => {
    if (interrupts.signal.aborted) return (await builds.cancelBuild({ buildId })).build;
    const reason = succeeded ? "" : error.slice(0, MAX_ERROR);
    return (await builds.finishBuild({ buildId, succeeded, error: reason, digest })).build;
  };
  for (let tries = 1; ; tries++) {
    try {
      return (await tell()) ?? build;
    } catch (failure) {
      // Someone else ended it: the server's record counts.
      const known = await builds.getBuild({ buildId }).catch(() => undefined);
      if (known?.build && hasEnded(known.build)) return known.build;
      if (tries === FINISH_TRIES || interrupts.count > 1) {
        const reason = failure instanceof Error ? failure.message : String(failure);
        throw new CliError(
          `${buildId}: could not report the result of the build to the server: ${reason}`,
          undefined,
          failure,
        );
      }
      await sleep(FINISH_PAUSE_MS * tries);
    }
  }
}
