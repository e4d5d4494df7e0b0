/**
 * 1. A folder is replaced whole, and a failing writer leaves the old folder with its stamp.
 * 2. Whatever a killed replacement leaves, a stamp says "finished" only for a finished folder.
 */
import { cpSync, rmSync } from "node:fs";
import { cp, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeEach, expect, test, vi } from "vitest";
import { replaceFolder } from "./replace-folder.ts";
import { readStamps, stampFile, writeStamps } from "./stamp-file.ts";

/** Called with every change to the disk, before it is made. */
const disk = vi.hoisted(() => ({ before: async (_call: string): Promise<void> => {} }));

vi.mock("node:fs/promises", async (importActual) => {
  const actual = await importActual<typeof import("node:fs/promises")>();
  const watched =
    (name: "rename" | "rm" | "mkdir") =>
    (...given: unknown[]) =>
      disk
        .before(`${name} ${String(given[0])}`)
        .then(() => Reflect.apply(actual[name], actual, given) as unknown);
  return { ...actual, rename: watched("rename"), rm: watched("rm"), mkdir: watched("mkdir") };
});

let build: string;
const page = () => join(build, "pages");

beforeEach(async () => {
  disk.before = async () => {};
  build = await mkdtemp(join(tmpdir(), "build-"));
});

const write = (text: string) => (next: string) => writeFile(join(next, "index.html"), text);

async function make(text: string) {
  await replaceFolder(page(), write(text));
  await writeStamps(stampFile(build), { ...(await readStamps(stampFile(build))), pages: text });
}

const state = async () => ({
  stamp: (await readStamps(stampFile(build)))["pages"],
  text: await readFile(join(page(), "index.html"), "utf8").catch(() => null),
});

test("1. whole or not at all", async () => {
  await make("first");
  await expect(replaceFolder(page(), () => Promise.reject(new Error("a mistake")))).rejects.toThrow(
    "a mistake",
  );
  expect(await state()).toEqual({ stamp: "first", text: "first" });
  await make("second");
  expect(await state()).toEqual({ stamp: "second", text: "second" });
  expect(await readdir(build)).toEqual(["pages", "stamps.json"]);
});

test("2. killed before any of its steps", async () => {
  let steps = 0;
  for (let killedAt = 0; killedAt <= steps; killedAt++) {
    await rm(build, { recursive: true });
    await make("first");
    const left = `${build}-left`;
    steps = 0;
    disk.before = async () => {
      if (steps++ !== killedAt) return;
      rmSync(left, { recursive: true, force: true });
      cpSync(build, left, { recursive: true });
    };
    await make("second");
    disk.before = async () => {};
    if (killedAt >= steps) break;
    // Restore the state that the killed process left.
    await rm(build, { recursive: true });
    await cp(left, build, { recursive: true });
    const { stamp, text } = await state();
    expect([killedAt, stamp === undefined || stamp === text]).toEqual([killedAt, true]);
    await make("third");
    expect(await state()).toEqual({ stamp: "third", text: "third" });
    expect((await readdir(build)).filter((name) => !name.endsWith(".tmp"))).toEqual(["pages", "stamps.json"]);
  }
  expect(steps).toBeGreaterThan(8);
});
