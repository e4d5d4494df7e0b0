/**
 * How one organization's builds slow a step of another organization: the same step alone, and while other builders are busy with
 * two processes each. Alternating rounds: the busy builders belong to another organization, or to its own. The latter share with
 * it, as all builders did before organizations had parts of the machine.
 *
 *   npm run node bench/builds-crowded.ts [busy builders, default 4]
 */
import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { createBuilders } from "#builds/index.ts";
import { comesTrue } from "../tests/attack/processes.ts";
import { build, findBuildTools, findProcesses } from "../tests/clients/builds/machine-stage.ts";

const ROUNDS = 3;
const START_MS = 120_000;
const busyBuilders = Number(process.argv[2] ?? 4);
const tools = await findBuildTools();
if (!tools) throw new Error("BuildKit or busybox cannot be had here");

for (const [whose, organizationId] of [
  ["of another organization", "org_crowd"],
  ["of its own organization", "org_alone"],
] as const) {
  const dataFolder = join(tools.folder, organizationId);
  mkdirSync(dataFolder);
  const quiet: number[] = [];
  const crowded: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const builders = await openBuilders(dataFolder);
    const { socket } = await builders.open(want("org_alone", "prj_alone"));
    quiet.push(await measure(socket, `quiet ${round} ${organizationId}`));
    const busy = Array.from({ length: busyBuilders }, async (_, at) => {
      const place = await builders.open(want(organizationId, `prj_busy${at}`));
      return build(
        tools,
        place.socket,
        `FROM base\nRUN (while :; do :; done) & : busy ${at}; while :; do :; done\n`,
      );
    });
    const begun = () =>
      busy.every((_, at) => findProcesses(`: busy ${at};`, "while", "/bin/sh -c (").length > 0);
    if (!(await comesTrue(begun, START_MS))) throw new Error("the builders beside it are not busy");
    crowded.push(await measure(socket, `crowded ${round} ${organizationId}`));
    await builders.close();
    await Promise.all(busy);
  }
  const ratio = median(crowded) / median(quiet);
  console.log(
    `${busyBuilders} busy builders ${whose}: ${median(quiet).toFixed(1)} s quiet, ${median(crowded).toFixed(1)} s beside them, ${ratio.toFixed(2)} times`,
  );
}
rmSync(tools.folder, { recursive: true, force: true });

function openBuilders(dataFolder: string) {
  const file = join(tools!.programs, "buildkitd");
  const quiet = { debug() {}, info() {}, warn() {}, error() {}, writes: () => false, flush() {} };
  return createBuilders({
    dataFolder,
    findBuildkitd: () => Promise.resolve(file),
    locateBuildkitd: () => Promise.resolve(file),
    setupCommand: "",
    buildx: "",
    noteSpoiled: () => Promise.resolve(),
    idleMs: 60_000,
    registryHost: "localhost:3999",
    mirrored: [],
    entitlements: [],
    listen() {},
    log: quiet,
  });
}

function want(organizationId: string, projectId: string) {
  const cache = { cacheBytes: 10 * 1024 ** 3, cacheDays: 14 };
  return { organizationId, projectId, platform: "linux/amd64", cpus: 2, ...cache };
}

/** @returns the step's seconds, as buildkitd reports them */
async function measure(socket: string, label: string): Promise<number> {
  const step = `RUN : ${label}; i=0; while [ $i -lt 200000 ]; do i=$((i+1)); done`;
  const { code, output } = await build(tools!, socket, `FROM base\n${step}\n`);
  const number = /^#(\d+) \[.*RUN :/m.exec(output)?.[1];
  const seconds = Number(new RegExp(`^#${number} DONE ([\\d.]+)s`, "m").exec(output)?.[1]);
  if (code !== 0 || !Number.isFinite(seconds)) throw new Error(output);
  return seconds;
}

function median(numbers: readonly number[]): number {
  return numbers.toSorted((one, other) => one - other)[Math.floor(numbers.length / 2)] ?? Number.NaN;
}
