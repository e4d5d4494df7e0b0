/** Every exception of the plans names a command, a file or a trouble that a page still has. */
import { expect, test } from "vitest";
import { PLANS } from "./page-plans.ts";
import { readProvedPages } from "./page-samples.ts";

const pages = await readProvedPages();

test("exceptions", () => {
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
