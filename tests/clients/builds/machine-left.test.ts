/**
 * Leftovers of builders:
 *
 * 1. A server that is killed takes all processes and mounts of its builders with it; the next start removes the rest,
 *    and leaves another server's alone; the cache is unchanged.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, describe, expect, test } from "vitest";

import { openTestMachine, placesOf, wanted } from "#builds/testing/machine.ts";
import { comesTrue } from "../../attack/processes.ts";
import { build, BUILD_MS, findBuildTools, findGroups, findProcesses, findTraces } from "./machine-stage.ts";

const tools = await findBuildTools();
const SERVER = fileURLToPath(new URL("machine-server.ts", import.meta.url));
const END_MS = 20_000;

describe.skipIf(!tools)("what is left", { timeout: BUILD_MS }, () => {
  const programs = tools!;
  const makeFolder = (name: string) => {
    const folder = join(programs.folder, name);
    mkdirSync(folder);
    return folder;
  };
  afterAll(() => rmSync(programs.folder, { recursive: true, force: true }));

  test("1. a killed server", async () => {
    const [dataFolder, otherFolder] = [makeFolder("killed"), makeFolder("other")];
    const other = await openTestMachine(programs, { dataFolder: otherFolder });
    const foreign = await other.builders.open(wanted());
    const { name, runFolder } = placesOf(dataFolder);
    const server = spawn(process.execPath, [SERVER, dataFolder, programs.programs], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    const [told] = (await once(server.stdout, "data")) as [Buffer];
    const socket = told.toString().trim();
    const dockerfile = "FROM base\nRUN echo kept\n";
    expect((await build(programs, socket, dockerfile)).code).toBe(0);
    const cut = build(programs, socket, "FROM base\nRUN sleep 7654321\n");
    expect(await comesTrue(() => findProcesses("sleep 7654321").length > 0, END_MS)).toBe(true);
    server.kill("SIGKILL");
    expect((await cut).code).not.toBe(0);
    const left = () => [...findTraces([dataFolder, runFolder]), ...findProcesses("sleep 7654321")];
    expect(await comesTrue(() => left().length === 0, END_MS), left().join("\n")).toBe(true);
    const next = await openTestMachine(programs, { dataFolder });
    const place = await next.builders.open(wanted());
    expect((await build(programs, place.socket, dockerfile)).output).toContain("CACHED");
    expect((await build(programs, foreign.socket, dockerfile)).code).toBe(0);
    await next.close();
    expect(findGroups(name)).toEqual([]);
    await other.close();
  });
});
