/**
 * Prepares this machine for builders: shows what it would do, asks, and does what is missing (decision 051).
 *
 *   what is missing ──► the commands, shown ──► yes ──► run one by one ──► checked again
 *
 * Each step happens completely or not at all, and the next run continues from there. A server may run meanwhile, and finds the
 * results.
 */
import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { tryLock } from "#platform/locks/lock.ts";
import { describeLacks } from "../machine/check/check-machine.ts";
import { findLacks, type Lack } from "../machine/check/find-lacks.ts";
import { locateBuildkitd } from "../machine/find-buildkitd.ts";
import { findProgram, systemPath } from "../machine/programs.ts";
import { type Command, findDistribution } from "./distribution.ts";
import { findWays, type ProgramsOptions, type Way } from "./get-programs.ts";
import { findGo, type GoPlace } from "./go-source.ts";
import type { SystemUser } from "./find-user.ts";
import { type Step, stepFor } from "./machine-steps.ts";
import { asRoot, runCommand, SetupError, showCommand } from "./run-command.ts";

export interface SetupOptions extends ProgramsOptions {
  /** The server's data folder; created if it does not exist. */
  dataFolder: string;
  /** The user that runs the server. */
  user: SystemUser;
  /** Does not change the machine, so nothing runs as root. */
  isProgramsOnly: boolean;
  /** Gets the programs as that user; null: this process is that user. Root never touches a folder that another user can change. */
  getAsUser: (() => Promise<void>) | null;
  say: (line: string) => void;
  /** @returns whether to continue. @throws SetupError when no one can be asked. Null: already confirmed. */
  ask: (() => Promise<boolean>) | null;
}

interface Plan {
  steps: readonly Step[];
  ways: readonly Way[];
}

/** @throws SetupError with one sentence: what, where, what to do */
export async function setUpBuilders(given: SetupOptions): Promise<void> {
  const options = { ...given, sources: { ...given.sources, as: userOf(given) } };
  const { isProgramsOnly, getAsUser, say, ask } = options;
  const place = {
    work: join(options.sources.folder, ".setup"),
    path: systemPath(process.env["PATH"]),
  };
  const lacks = await look(options);
  refuseWhatStays(lacks);
  const plan = await makePlan(options, lacks, place);
  if (plan.steps.length + plan.ways.length === 0)
    return say(
      isProgramsOnly
        ? "buildkitd and buildx are here already."
        : "Builders can run here already: nothing is missing.",
    );
  // The process that started this for another user has shown it.
  if (!isProgramsOnly || ask) show(plan, { lacks, place, say });
  if (ask && !(await ask())) return say("Nothing was changed.");
  await takeSteps(plan.steps, { place, say });
  if (plan.ways.length > 0) await (getAsUser ? getAsUser() : getPrograms(plan.ways, options, place));
  const left = await look(options);
  if (left.length > 0) throw new SetupError(describeLacks(left));
  say(
    isProgramsOnly
      ? "buildkitd and buildx are here now."
      : "\nBuilders can run here now. A running server finds them by itself.",
  );
}

async function getPrograms(
  ways: readonly Way[],
  { sources, say }: SetupOptions,
  place: GoPlace,
): Promise<void> {
  const { folder } = sources;
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const lock = tryLock(join(folder, ".setup.lock"));
  if (!lock) throw new SetupError(`Another setup-builders is working in ${folder}: wait until it ends.`);
  try {
    await mkdir(place.work, { recursive: true, mode: 0o700 });
    for (const way of ways) {
      say(`\n${way.title}`);
      await way.get(place);
    }
  } finally {
    await removeWork(place.work);
    lock.release();
  }
}

/** Go keeps its own programs in folders that are read-only. */
async function removeWork(work: string): Promise<void> {
  if (!existsSync(work)) return;
  await promisify(execFile)("chmod", ["-R", "u+rwX", work]);
  await rm(work, { recursive: true, force: true });
}

async function look(options: SetupOptions): Promise<Lack[]> {
  const { user, dataFolder, sources, isProgramsOnly } = options;
  const lacks = await findLacks({
    env: process.env,
    user,
    dataFolder,
    as: userOf(options),
    // What the first build would download is installed now.
    locateBuildkitd: async () => (await locateBuildkitd(sources)) || null,
  });
  return isProgramsOnly ? lacks.filter(({ kind }) => kind === "buildkit") : lacks;
}

/** The server's user, if this process is root's. */
const userOf = ({ user, getAsUser }: SetupOptions) =>
  getAsUser ? { uid: user.id, gid: user.groupId } : undefined;

function refuseWhatStays(lacks: readonly Lack[]): void {
  const stays = lacks.filter(({ isMended }) => !isMended);
  if (stays.length > 0)
    throw new SetupError(`${describeLacks(stays)} setup-builders cannot fix that, and changed nothing.`);
}

async function makePlan(options: SetupOptions, lacks: readonly Lack[], { path }: GoPlace): Promise<Plan> {
  const ways = await findWays(
    options,
    lacks.some(({ kind }) => kind === "buildkit"),
  );
  const programs = lacks.flatMap(({ kind, nouns }) => (kind === "programs" ? nouns : []));
  const needsGo = !options.isProgramsOnly && ways.some((way) => way.needsGo) && (await findGo(path)) === null;
  const packages = await installStep([...programs, ...(needsGo ? ["go"] : [])], path);
  const others: Step[] = [];
  for (const lack of lacks) {
    const step = await stepFor(lack, { user: options.user, path });
    if (step) others.push(step);
  }
  return { steps: [...packages, ...others], ways };
}

async function installStep(programs: readonly string[], path: string): Promise<Step[]> {
  if (programs.length === 0) return [];
  const distribution = await findDistribution(path);
  if (!distribution)
    throw new SetupError(
      `This machine has none of the package managers apt-get, dnf, zypper, pacman and apk. Install ${programs.join(", ")} by hand, and run setup-builders again.`,
    );
  return [{ title: `Programs, by ${distribution.manager}`, commands: distribution.install(programs) }];
}

interface Shown {
  lacks: readonly Lack[];
  place: GoPlace;
  say: SetupOptions["say"];
}

function show({ steps, ways }: Plan, { lacks, place, say }: Shown): void {
  if (lacks.length > 0) say(describeLacks(lacks));
  say("This is what will be done:\n");
  const lines = [
    ...steps.map(({ title, commands }) => [
      title,
      ...commands.map((command) => `$ ${showCommand(toldAsRoot(command))}`),
    ]),
    ...ways.map((way) => [way.title, ...way.show(place)]),
  ];
  lines.forEach(([title, ...rest], at) => {
    say(`  ${at + 1}. ${title}`);
    for (const line of rest) say(`     ${line}`);
  });
  say("");
}

const toldAsRoot = (command: Command) => asRoot(command, process.getuid?.() === 0);

async function takeSteps(steps: readonly Step[], { place, say }: Omit<Shown, "lacks">): Promise<void> {
  const isAlone =
    steps.length > 0 && process.getuid?.() !== 0 && (await findProgram("sudo", place.path)) === null;
  if (isAlone)
    throw new SetupError(
      "sudo is not installed on this machine: run the commands above that begin with it as root, then run setup-builders again.",
    );
  for (const { title, commands } of steps) {
    say(`\n${title}`);
    for (const command of commands) await runCommand(toldAsRoot(command), place.path);
  }
}
