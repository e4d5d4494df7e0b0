/** Which test files get their own process: those that may change it for others. */
import { expect, test } from "vitest";
import { needsOwnProcess } from "./unit-tests.ts";

test.for([
  'vi.mock("./limits.ts")',
  "vi.useFakeTimers();",
  'vi.stubGlobal("fetch", fetch);',
  'process.env["TZ"] = "UTC";',
  "process.chdir(folder);",
  "globalThis.fetch = answer;",
  "global.fetch = answer;",
  "Array.prototype.at = last;",
  'Object.defineProperty(Map, "of", {});',
  'import { spawn } from "node:child_process";',
  'import { Worker } from "node:worker_threads";',
  "const server = createServer();",
])("its own: %s", (text) => {
  expect(needsOwnProcess(text)).toBe(true);
});

test.for(['import { expect, test } from "vitest";', "// What a process does, seen via a prototype."])(
  "a shared one: %s",
  (text) => {
    expect(needsOwnProcess(text)).toBe(false);
  },
);
