/**
 * Bazel that is stopped repeatedly with all its calls under way is not taken for a rapid reset: it gets no GOAWAY, and
 * the next build takes everything from the cache.
 */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { comesTrue } from "../../attack/processes.ts";
import { type FrameProxy, startFrameProxy } from "../frame-proxy.ts";
import { TOOL_MS, useCacheStage } from "./cache-stage.ts";
import { findBazel } from "./tools.ts";

const bazel = await findBazel();
const TARGETS = 250;
/** Twice as many as may be open: others begin in the places of canceled ones. */
const JOBS = 200;
const STOPS = 3;
const UNDER_WAY = 90;
const NOTICE_MS = 60_000;
const INTERRUPTED = 8;
const BUILD = `
[genrule(name = "g%d" % n, outs = ["g%d.txt" % n], cmd = "echo %d > $@" % n) for n in range(${TARGETS})]
`;

describe.skipIf(!bazel)("Bazel that is stopped", { timeout: 2 * TOOL_MS }, () => {
  const stage = useCacheStage(({ write }) => write({ WORKSPACE: "", BUILD }), "100MB");
  const run = (...args: string[]) => stage().run([bazel ?? "", ...args]);
  let proxy: FrameProxy;
  beforeAll(async () => void (proxy = await startFrameProxy(stage().proxy.port)));
  afterAll(async () => {
    if (bazel) await run("shutdown");
    await proxy.close();
  });

  async function build(stop?: Promise<unknown>) {
    await run("clean");
    const command = [
      "build",
      "//...",
      "--color=no",
      "--curses=no",
      `--jobs=${JOBS}`,
      `--remote_cache=grpc://127.0.0.1:${proxy.port}`,
      `--remote_header=authorization=Bearer ${stage().tokens.organization}`,
    ];
    return stage().run([bazel ?? "", ...command], stop ? { stop } : {});
  }

  test("with its calls under way", async () => {
    expect((await build()).code).toBe(0);
    for (let time = 0; time < STOPS; time += 1) {
      const before = proxy.requests;
      // The first call asks what the server can do.
      Object.assign(proxy, { resets: 0, hold: { from: 2, at: "server" } });
      const underWay = comesTrue(() => proxy.requests - before >= UNDER_WAY, NOTICE_MS);
      expect((await build(underWay)).code).toBe(INTERRUPTED);
      expect(proxy.resets).toBeGreaterThanOrEqual(UNDER_WAY);
      proxy.release();
    }
    expect((await build()).output).toContain(`${TARGETS} remote cache hit`);
    expect(proxy.goaways).toEqual([]);
  });
});
