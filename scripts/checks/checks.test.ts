/**
 * 1. `npm test` attacks nothing; `npm run test:clients` runs the short form of every attack, `npm run test:long` the long one.
 * 2. Parts of an attack that could not be tried in full are named and not counted as passed; an attack that ends without results
 *    has failed.
 */
import { writeFileSync } from "node:fs";
import { afterEach, expect, test, vi } from "vitest";
import { checks } from "./checks.ts";
import * as runs from "./run-checks.ts";

vi.mock("./run-checks.ts", async (original) => ({
  ...(await original<typeof runs>()),
  runNode: vi.fn<typeof runs.runNode>(),
}));

const runNode = vi.mocked(runs.runNode);
const named = (name: string) => checks.find((check) => check.name === name)!;

/** Like the attacks. */
function endsWith(results: object | null): void {
  runNode.mockImplementation(async (args) => {
    if (results) writeFileSync(args[args.indexOf("--results") + 1]!, JSON.stringify(results));
    return { code: 0, output: "" };
  });
}

afterEach(() => vi.restoreAllMocks());

test("1. which attacks run when", async () => {
  endsWith({ passed: 1, failed: 0, notTried: [] });
  const options = async (name: string) => {
    expect(named(name).isSeparate).toBe(true);
    await named(name).run();
    return runNode.mock.lastCall![0].join(" ");
  };
  expect(await options("attack")).toMatch(/^tests\/attack\/main\.ts --short --results \S+$/);
  expect(await options("long attack")).toMatch(/^tests\/attack\/main\.ts --long .*--results \S+$/);
});

test("2. what could not be tried", async () => {
  const told = vi.spyOn(console, "log").mockImplementation(() => {});
  endsWith({ passed: 2, failed: 0, notTried: ["28 a full disk"] });
  await runs.runChecks(checks, ["attack"]);
  const lines = told.mock.calls.map(([line]) => String(line));
  expect(lines).toContainEqual(expect.stringMatching(/NOT TRIED.*28 a full disk/));
  expect(lines.at(-1)).toBe("2 passed, 0 failed");
  endsWith(null);
  expect(await named("attack").run()).toMatchObject({ passed: 0, failed: 1 });
});
