/**
 * 1. Every exception of the plans names a command, a file or a trouble that a page still has.
 * 2. A block is `adapted` in `content/blocks/` exactly when its plan changes what is run or compared, and no plan leaves
 *    out a whole block.
 */
import { expect, test } from "vitest";
import { readStates } from "#docs/content/executed/read-states.ts";
import { root } from "#server/pages/build-folders.ts";
import type { StepPlan } from "./page-plan.ts";
import { PLANS } from "./page-plans.ts";
import { readProvedPages } from "./page-samples.ts";

const pages = await readProvedPages();
const { given } = readStates(root);

test("1. exceptions", () => {
  for (const [path, { steps: planned = [], pageFiles = {}, troubles }] of Object.entries(PLANS)) {
    const { steps, files, messages } = pages.get(path) ?? { steps: [], files: new Map(), messages: [] };
    if (troubles) expect(Object.keys(troubles), path).toEqual(messages);
    const commands = steps.map(({ command }) => command);
    expect(commands, path).not.toEqual([]);
    for (const { starts } of planned)
      expect(
        commands.filter((command) => command.startsWith(starts)),
        `${path}: ${starts}`,
      ).not.toEqual([]);
    for (const title of Object.keys(pageFiles)) expect([path, ...files.keys()]).toContain(title);
  }
});

test("2. states", () => {
  const changes = ({ isLeftOut, as, names, prints, differs }: StepPlan) =>
    [isLeftOut, as, names, prints, differs].some((each) => each !== undefined);
  for (const [path, { steps }] of pages)
    for (const hash of new Set(steps.map(({ block }) => block))) {
      const own = steps.filter(({ block }) => block === hash);
      const plans = own.map(({ command }) =>
        PLANS[path]?.steps?.find(({ starts }) => command.startsWith(starts)),
      );
      const isAdapted = plans.some((plan) => plan !== undefined && changes(plan));
      expect(given.get(path)?.get(hash)?.state ?? "run", own[0]?.place).toBe(isAdapted ? "adapted" : "run");
      expect(
        plans.some((plan) => plan?.isLeftOut === undefined),
        own[0]?.place,
      ).toBe(true);
    }
});
