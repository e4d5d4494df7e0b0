/**
 * 1. Explanations run one by one, also after one that failed; a repeated question shares the running answer.
 * 2. An organization that asks for more than its share is refused immediately, and others are still answered.
 */
import { expect, test } from "vitest";
import { MAX_EXPLANATIONS, MAX_EXPLANATIONS_PER_ORGANIZATION } from "../contract/limits.ts";
import { createExplanations } from "./explanations.ts";

const explanation = (summary: string) => ({ summary, causes: [], comparedBuildId: "" });

function open() {
  const explain = createExplanations();
  const gates: { open: () => void; fail: (error: Error) => void }[] = [];
  let running = 0;
  let most = 0;
  return {
    gates,
    most: () => most,
    ask: (organizationId: string, stepId: string) =>
      explain({ organizationId, buildId: "bld_a", stepId }, async () => {
        most = Math.max(most, (running += 1));
        const gate = Promise.withResolvers<void>();
        gates.push({ open: gate.resolve, fail: gate.reject });
        try {
          await gate.promise;
          return explanation(stepId);
        } finally {
          running -= 1;
        }
      }),
  };
}

/** Until the next explanation has begun. */
async function begun(gates: readonly unknown[], count: number): Promise<void> {
  await expect.poll(() => gates.length).toBe(count);
}

test("1. one after the other", async () => {
  const { ask, gates, most } = open();
  const answers = [ask("org_a", "one"), ask("org_a", "two"), ask("org_b", "one"), ask("org_b", "three")];
  const settled = Promise.allSettled(answers);
  await begun(gates, 1);
  gates[0]?.open();
  await begun(gates, 2);
  gates[1]?.fail(new Error("the database does not answer"));
  await begun(gates, 3);
  gates[2]?.open();
  const said = (await settled).map((each) =>
    each.status === "fulfilled" ? each.value.summary : String(each.reason),
  );
  expect(said).toEqual(["one", "Error: the database does not answer", "one", "three"]);
  expect([gates.length, most()]).toEqual([3, 1]);
});

test("2. shares", async () => {
  const { ask, gates } = open();
  const many = Array.from({ length: 200 }, (_, at) =>
    ask("org_a", `step ${at}`).catch((error: unknown) => error),
  );
  const other = ask("org_b", "mine");
  const refused = await Promise.all(many.slice(MAX_EXPLANATIONS_PER_ORGANIZATION));
  for (const error of refused) expect(error).toMatchObject({ code: "resource_exhausted" });
  for (let at = 0; at <= MAX_EXPLANATIONS_PER_ORGANIZATION; at += 1) {
    await begun(gates, at + 1);
    gates[at]?.open();
  }
  expect((await other).summary).toBe("mine");
  // Whatever was asked before, there is room again.
  const again = ask("org_a", "again");
  await begun(gates, MAX_EXPLANATIONS_PER_ORGANIZATION + 2);
  gates.at(-1)?.open();
  expect((await again).summary).toBe("again");
  const organizations = Array.from({ length: MAX_EXPLANATIONS + 1 }, (_, at) => `org_${at}`);
  const all = organizations.map((name) => ask(name, name).catch((error: { code: string }) => error.code));
  expect(await all.at(-1)).toBe("resource_exhausted");
});
