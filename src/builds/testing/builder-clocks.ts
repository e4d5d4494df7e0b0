/** What builders guarantee in any cluster (`testing/builders.ts`) when a server's clock is wrong. */
import { expect, test } from "vitest";
import { answers } from "../machine/ask-buildkitd.ts";
import { USED_MS } from "../kubernetes/limits.ts";
import { comesTrue, nextProject, type Stage, wantPod } from "./pods.ts";

const HOUR_MS = 3_600_000;

export function proveClocks({ start }: Stage): void {
  test("3. a clock that is behind, or was set", async () => {
    const projectId = nextProject();
    const own = { behindMs: 0, looksAt: 0, elapsed: 0 };
    const [one, other] = [
      await start({
        clock: () => Date.now() + own.elapsed - own.behindMs,
        elapsed: () => performance.now() + own.elapsed,
        async lookAtClock() {
          own.behindMs = own.looksAt;
        },
      }),
      await start(),
    ];
    const { socket } = await other.builders.open(wantPod(projectId));
    for (const [behindMs, looksAt] of [
      [HOUR_MS, HOUR_MS],
      [HOUR_MS, 0],
      [0, -HOUR_MS],
    ] as const) {
      Object.assign(own, { behindMs, looksAt });
      await one.builders.sweep();
      const [pod] = await one.ofProject("pods", projectId);
      expect(pod?.metadata.deletionTimestamp).toBeUndefined();
    }
    expect(await answers(socket)).toBe(true);
    // The other server has not noted again that it uses the pod.
    own.elapsed += USED_MS;
    await one.builders.sweep();
    await comesTrue(async () => (await one.ofProject("pods", projectId)).length === 0);
  });
}
