/**
 * 1. The room printed in CONTRIBUTING.md can be added with one line: its address is answered, its variable is read, checked and
 *    documented.
 * 2. No two rooms share the name of a variable, a migration, a room or an address.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { Hono } from "hono";
import { z } from "zod";
import { expect, onTestFinished, test } from "vitest";
import type { Variables } from "#platform/environment/variables.ts";
import { openOrClose } from "#platform/house/open-or-close.ts";
import { emptyHouse, type RoomPlan } from "#platform/house/plan.ts";
import { createRoom } from "#platform/house/room.ts";
import { createApp } from "./app.ts";
import { cacheFolder, root } from "./pages/build-folders.ts";
import { environmentVariables, parseEnvironment } from "./environment.ts";
import { house } from "./house.ts";

/** The code that a page prints under a file's name. */
function printed(file: string): string {
  const text = readFileSync(join(root, "CONTRIBUTING.md"), "utf8");
  const [, code] = new RegExp(`\`\`\`ts title="${file}"\\n(.*?)\`\`\``, "s").exec(text) ?? [];
  if (code === undefined) throw new Error(`CONTRIBUTING.md prints no ${file}.`);
  return code;
}

test("1. the recipe", async () => {
  const folder = mkdtempSync(join(cacheFolder, "recipe-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = join(folder, "open-greeting.ts");
  writeFileSync(file, printed("src/greeting/open-greeting.ts"));
  const { greetingRoom } = (await import(/* @vite-ignore */ pathToFileURL(file).href)) as {
    greetingRoom: RoomPlan<object, object, Variables>;
  };
  const pages: RoomPlan<object, object, Variables> = {
    variables: {},
    migrations: [],
    sealed: [],
    open: () =>
      Promise.resolve({
        room: createRoom("site", {
          mounts: [{ part: "site", paths: ["/*"], takesTurns: false, serve: () => new Hono() }],
        }),
        gives: {},
      }),
  };
  const small = emptyHouse<object>().room(pages).room(greetingRoom);
  const { schema, about } = small.variables["MILLRACE_GREETING"]!;
  expect(about).toContain("/greeting");
  expect(() => schema.parse("x".repeat(101))).toThrow("at most 100 characters");
  const env = { ...parseEnvironment({}), ...z.object({ MILLRACE_GREETING: schema }).parse({}) };
  await openOrClose(async (opened) => {
    const { rooms } = await small.open({}, env, opened);
    const answer = await createApp({ origin: env.SITE_ORIGIN, rooms }).request("/greeting");
    expect([answer.status, await answer.text()]).toEqual([200, "Hello"]);
    await opened.close();
  });
});

test("2. names", () => {
  const names = house.migrations.map(({ name }) => name);
  expect(new Set(names).size).toBe(names.length);
  expect(Object.keys(house.variables).length).toBeGreaterThan(30);
  const of = new Map<string, number>();
  for (const plan of house.plans)
    for (const name of Object.keys(plan.variables)) of.set(name, (of.get(name) ?? 0) + 1);
  expect([...of].filter(([, count]) => count > 1)).toEqual([]);
  for (const [name, { about }] of Object.entries<Variables[string]>(environmentVariables))
    expect([name, about]).toEqual([name, expect.stringMatching(/^[A-Z`].*\.$/s)]);
});
