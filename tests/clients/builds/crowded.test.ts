/**
 * Two organizations whose builders are on one machine, with a real buildkitd:
 *
 * 1. However many builders one organization keeps busy, the builder of the other gets half of the machine's processor
 *    time.
 * 2. While both build, neither may take all memory of builders; alone, each may.
 * 3. The control group of an organization goes with its last builder.
 * 4. When all places are taken, a builder waits, and gets the next place before further builders of the organization
 *    that has them.
 */
import { mkdirSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { totalmem } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { CROWDED_MEMORY, MOST_MEMORY, openTestMachine, placesOf, wanted } from "#builds/testing/machine.ts";
import { comesTrue } from "../../attack/processes.ts";
import { build, BUILD_MS, findBuildTools, findProcesses } from "./machine-stage.ts";

const tools = await findBuildTools();
const END_MS = 60_000;
const MANY = 4;
/** Processor time that both together take before the measurement. */
const MEASURED_SECONDS = 6;
/** Half, minus what the tests' own processes change. */
const LEAST_SHARE = 0.35;
const CROWD = "org_crowd";
const ALONE = "org_alone";

describe.skipIf(!tools || !hasProcessorGroups())("a crowded machine", { timeout: BUILD_MS }, () => {
  const programs = tools!;
  afterAll(() => rmSync(programs.folder, { recursive: true, force: true }));
  const open = async (folder: string, options: Partial<Parameters<typeof openTestMachine>[1]> = {}) => {
    const dataFolder = join(programs.folder, folder);
    mkdirSync(dataFolder);
    const stage = await openTestMachine(programs, { ...options, dataFolder });
    return { ...stage, name: placesOf(dataFolder).name };
  };

  test("1. processor time", async () => {
    const { builders, name, close } = await open("time");
    const busy = (label: string) =>
      `FROM base\nRUN (while :; do :; done) & : ${label}; while :; do :; done\n`;
    const crowd = Array.from({ length: MANY }, (_, at) =>
      wanted({ organizationId: CROWD, projectId: `prj_crowd${at}` }),
    );
    const wants = [...crowd, wanted({ organizationId: ALONE, projectId: "prj_alone" })];
    const places = await Promise.all(wants.map((want) => builders.open(want)));
    const running = places.map(({ socket }, at) => build(programs, socket, busy(`busy ${at}`)));
    const begun = () => wants.every((_, at) => findProcesses(`: busy ${at};`, "while").length > 0);
    expect(await comesTrue(begun, END_MS)).toBe(true);
    const secondsOf = (project: string) => usedSeconds(name, project);
    const before = wants.map(({ projectId }) => secondsOf(projectId));
    const used = () => wants.map(({ projectId }, at) => secondsOf(projectId) - before[at]!);
    const sum = (numbers: readonly number[]) => numbers.reduce((all, one) => all + one, 0);
    expect(await comesTrue(() => sum(used()) >= MEASURED_SECONDS, END_MS)).toBe(true);
    const parts = used();
    expect(parts.at(-1)! / sum(parts), parts.join(" ")).toBeGreaterThan(LEAST_SHARE);
    await close();
    for (const one of running) expect((await one).code).not.toBe(0);
  });

  test("2. and 3. memory, and groups that go", async () => {
    const { builders, name, close } = await open("memory", { idleMs: 0 });
    const limitOf = (organization: string) => readLimit(name, organization);
    const all = totalmem() * MOST_MEMORY;
    const mine = await builders.open(wanted({ organizationId: CROWD, projectId: "prj_one" }));
    const further = await builders.open(wanted({ organizationId: CROWD, projectId: "prj_two" }));
    expect(limitOf(CROWD) / all).toBeCloseTo(1, 3);
    expect(readLimit(name, "") / all).toBeCloseTo(1, 3);
    const other = await builders.open(wanted({ organizationId: ALONE, projectId: "prj_three" }));
    for (const each of [CROWD, ALONE]) expect(limitOf(each) / all).toBeCloseTo(CROWDED_MEMORY, 3);
    other.release();
    await other.ended;
    expect(await comesTrue(() => Number.isNaN(limitOf(ALONE)), END_MS)).toBe(true);
    expect(await comesTrue(() => limitOf(CROWD) > all * 0.99, END_MS)).toBe(true);
    further.release();
    await further.ended;
    expect(limitOf(CROWD) / all).toBeCloseTo(1, 3);
    mine.release();
    await mine.ended;
    expect(await comesTrue(() => Number.isNaN(limitOf(CROWD)), END_MS)).toBe(true);
    await close();
  });

  test("4. places", async () => {
    const { builders, close } = await open("places", { idleMs: 60_000, turns: { most: 2, mostOfOne: 2 } });
    const of = (organizationId: string, projectId: string) => wanted({ organizationId, projectId });
    const [first, second] = [
      await builders.open(of(CROWD, "prj_one")),
      await builders.open(of(CROWD, "prj_two")),
    ];
    const order: string[] = [];
    const waits = (want: ReturnType<typeof of>) =>
      builders.open(want).then((place) => (order.push(want.projectId), place));
    const [further, other] = [waits(of(CROWD, "prj_three")), waits(of(ALONE, "prj_alone"))];
    await expect(builders.open(of(ALONE, "prj_else"), { mayWait: false })).rejects.toThrow(
      /^2 builders run on this/,
    );
    const canceled = new AbortController();
    const gone = builders.open(of(ALONE, "prj_gone"), { signal: canceled.signal });
    canceled.abort(new Error("canceled"));
    await expect(gone).rejects.toThrow("canceled");
    first.release();
    const place = await other;
    expect((await build(programs, place.socket, "FROM base\nRUN true\n")).code).toBe(0);
    expect(order).toEqual(["prj_alone"]);
    second.release();
    await further;
    expect(order).toEqual(["prj_alone", "prj_three"]);
    await close();
  });
});

function hasProcessorGroups(): boolean {
  try {
    return readdirSync("/sys/fs/cgroup").some((each) => each === "cpuacct" || each === "cgroup.controllers");
  } catch {
    return false;
  }
}

/** Processor time of a project's builder, as the kernel counts it. */
function usedSeconds(name: string, project: string): number {
  const first = findFolders("/sys/fs/cgroup", 2).filter((each) => each.endsWith(`/${name}`));
  const groups = first.flatMap((folder) =>
    findFolders(folder, 2).filter((each) => each.split("/").at(-1)?.startsWith(`${project}-`)),
  );
  return Math.max(
    ...groups.map((folder) => Number(readOr(join(folder, "cpuacct.usage"))) / 1e9),
    ...groups.map(
      (folder) => Number(/usage_usec (\d+)/.exec(readOr(join(folder, "cpu.stat")))?.[1] ?? 0) / 1e6,
    ),
  );
}

function findFolders(folder: string, depth: number): string[] {
  if (depth === 0) return [];
  const below = readdirSync(folder, { withFileTypes: true }).filter((each) => each.isDirectory());
  return below.flatMap((each) => [
    join(folder, each.name),
    ...findFolders(join(folder, each.name), depth - 1),
  ]);
}

function readOr(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
}
/** Memory limit of an organization, or of all builders; NaN: it has no group. */
function readLimit(name: string, organization: string): number {
  const found = ["memory", ".", "unified"].flatMap((tree) =>
    ["memory.limit_in_bytes", "memory.max"].map((file) =>
      readOr(join("/sys/fs/cgroup", tree, name, organization, file)),
    ),
  );
  return Number(found.find((text) => text !== "") ?? "none");
}
