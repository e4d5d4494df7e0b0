import { expect, test } from "vitest";
import { tryRun } from "./try-run.ts";

const PATH = process.env["PATH"] ?? "";

test("what goes on in the background holds no one up", async () => {
  const tried = await tryRun("sh", ["-c", "echo first; setsid sleep 5 & echo last"], {
    path: PATH,
    withinMs: 500,
  });
  expect(tried).toEqual({ output: "first\nlast\n", error: null });
  const slow = await tryRun("sleep", ["600"], { path: PATH, withinMs: 100 });
  expect(slow.error).toBe("it was terminated by SIGKILL");
});

test("its words are not commands for a terminal", async () => {
  const said = `printf '\\033]0;title\\007v0.33.0\\n'`;
  expect((await tryRun("sh", ["-c", said], { path: PATH })).output).toBe("]0;titlev0.33.0\n");
  expect((await tryRun("sh", ["-c", `${said} >&2; exit 3`], { path: PATH })).error).toBe("]0;titlev0.33.0");
});
