/**
 * Prepares this machine for builders: says what it would do, asks, and does what is missing (decision 051).
 *
 *   what is missing ──► the commands, shown ──► yes ──► one after the other ──► looked at again
 *
 * Each step is whole or was not: the next run goes on from there. A server may run meanwhile, and finds what is there.
 */
import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { rm } from "node:fs/promises";
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
import { type Step, stepFor } from "./machine-steps.ts";
import { makeFolder, own } from "./put-program.ts";
import { asRoot, runCommand, SetupError, showCommand } from "./run-command.ts";

export interface SetupOptions extends ProgramsOptions {
  /** The server's; made if it is not there. */
  dataFolder: string;
  /** Who runs the server. */
  user: { name: string; id: number };
  say: (line: string) => void;
  /** @returns whether to go on. @throws SetupError where nobody can be asked */
  ask: () => Promise<boolean>;
}

interface Plan {
  steps: readonly Step[];
  ways: readonly Way[];
}

/** @throws SetupError with one sentence: what, where, what to do */
export async function setUpBuilders(options: SetupOptions): Promise<void> {
  const { sources, owner, say } = options;
  const { folder } = sources;
  await makeFolder(folder, owner);
  const lock = tryLock(join(folder, ".setup.lock"));
  if (!lock) throw new SetupError(`Another setup-builders works in ${folder} at the moment: wait for it.`);
  await own(join(folder, ".setup.lock"), owner);
  const place = { work: join(folder, ".setup"), path: systemPath(process.env["PATH"]) };
  try {
    const lacks = await look(options);
    refuseWhatStays(lacks);
    const plan = await makePlan(options, lacks, place);
    if (plan.steps.length + plan.ways.length === 0)
      return say("Builders can run here already: nothing is missing.");
    show(plan, { lacks, place, say });
    if (!(await options.ask())) return say("Nothing was changed.");
    await makeFolder(place.work, owner);
    await carryOut(plan, { place, say });
    const left = await look(options);
    if (left.length > 0) throw new SetupError(describeLacks(left));
    say("\nBuilders can run here now. A server that runs already finds them by itself.");
  } finally {
    await removeWork(place.work);
    lock.release();
  }
}

/** Go keeps its own programs in folders that nobody may change. */
async function removeWork(work: string): Promise<void> {
  if (!existsSync(work)) return;
  await promisify(execFile)("chmod", ["-R", "u+rwX", work]);
  await rm(work, { recursive: true, force: true });
}

const look = ({ user, dataFolder, sources, owner }: SetupOptions): Promise<Lack[]> =>
  findLacks({
    env: process.env,
    user,
    dataFolder,
    as: process.getuid?.() === 0 && owner.id !== 0 ? { uid: owner.id, gid: owner.groupId } : undefined,
    // What the first build would get is got now.
    locateBuildkitd: async () => (await locateBuildkitd(sources)) || null,
  });

function refuseWhatStays(lacks: readonly Lack[]): void {
  const stays = lacks.filter(({ isMended }) => !isMended);
  if (stays.length > 0)
    throw new SetupError(`${describeLacks(stays)} setup-builders cannot mend that, and changed nothing.`);
}

async function makePlan(options: SetupOptions, lacks: readonly Lack[], { path }: GoPlace): Promise<Plan> {
  const ways = await findWays(
    options,
    lacks.some(({ kind }) => kind === "buildkit"),
  );
  const programs = lacks.flatMap(({ kind, nouns }) => (kind === "programs" ? nouns : []));
  const needsGo = ways.some((way) => way.needsGo) && (await findGo(path)) === null;
  const packages = await installStep([...programs, ...(needsGo ? ["go"] : [])], path);
  const others: Step[] = [];
  for (const lack of lacks) {
    // oxlint-disable-next-line no-await-in-loop -- a few short files
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

async function carryOut({ steps, ways }: Plan, { place, say }: Omit<Shown, "lacks">): Promise<void> {
  const isAlone =
    steps.length > 0 && process.getuid?.() !== 0 && (await findProgram("sudo", place.path)) === null;
  if (isAlone)
    throw new SetupError(
      "sudo is not on this machine: run the commands above that begin with it as root, and then setup-builders again.",
    );
  for (const { title, commands } of steps) {
    say(`\n${title}`);
    // oxlint-disable-next-line no-await-in-loop -- in order
    for (const command of commands) await runCommand(toldAsRoot(command), place.path);
  }
  for (const way of ways) {
    say(`\n${way.title}`);
    // oxlint-disable-next-line no-await-in-loop -- in order
    await way.get(place);
  }
}
