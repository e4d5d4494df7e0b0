/** A large context that passes through does not make V8 scan the server's whole memory repeatedly. */
import { PerformanceObserver, constants, type NodeGCPerformanceDetail } from "node:perf_hooks";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { expect, test, vi } from "vitest";
import { CONTROL, open, useTestProxy } from "../testing/proxy.ts";

const place = useTestProxy();
const PART = Buffer.alloc(1024 * 1024);
const PARTS = 192;

/** Makes the heap like that of a server that has run for a while, which V8 lets grow by only a few megabytes. */
function settle(): void {
  setFlagsFromString("--expose-gc");
  (runInNewContext("gc") as () => void)();
  setFlagsFromString("--no-expose-gc");
}

test("memory of what was passed on", { timeout: 60_000 }, async () => {
  place().builds.set("bld_a", place().live());
  let received = 0;
  place().behaviour.answer = ({ stream }) => stream.on("data", (part: Buffer) => (received += part.length));
  const client = await place().client("bld_a");
  const session = open(client, `${CONTROL}Session`, { "x-docker-expose-session-uuid": "s1" });
  settle();
  let whole = 0;
  const watching = new PerformanceObserver((list) => {
    // Its types do not know Node.js's own entries.
    for (const entry of list.getEntries() as (PerformanceEntry & { detail?: NodeGCPerformanceDetail })[]) {
      if (entry.detail?.kind === constants.NODE_PERFORMANCE_GC_MAJOR) whole += 1;
    }
  });
  watching.observe({ entryTypes: ["gc"] });
  for (let at = 0; at < PARTS; at += 1)
    await new Promise<void>((resolve) => session.write(PART, () => resolve()));
  await vi.waitFor(() => expect(received).toBe(PARTS * PART.length), 20_000);
  watching.disconnect();
  session.close();
  // Without notes of forwarded bytes, V8 does so ten times.
  expect(whole).toBeLessThan(5);
});
