/**
 * "My setup": at most one value of each part (CI provider, architecture, package manager, shell), all from the closed list
 * in `choices.ts`. In an address it is `?setup=gitlab-ci,arm64,pnpm`, in any order. In the browser it is stored with the
 * chosen tabs, `{ci: "GitLab CI", "package-manager": "pnpm", …}`: a tab of such a group and the part are one choice.
 */
import { SETUP_PARTS } from "./choices.ts";

/** Part → value, by their ids, in the order of the parts. */
export type Setup = ReadonlyMap<string, string>;

/** Longer than any address that has every value once. */
const MAX_TEXT_LENGTH = 200;

/** Ignores unknown values; if a part has two values, the first counts. */
export function parseSetup(text: string): Setup {
  const ids = text.slice(0, MAX_TEXT_LENGTH).split(",");
  return collect((values) => {
    const known = ids.find((id) => values.some((value) => value.id === id));
    return values.find(({ id }) => id === known);
  });
}

/** The setup of an address; a form without a script repeats the parameter for each part. */
export function setupOfAddress(search: string): Setup {
  return parseSetup(new URLSearchParams(search).getAll("setup").join(","));
}

/** Whether a page is rendered for its setup: a named one, or the empty one, which requests the form. */
export function asksForSetup(search: string): boolean {
  const texts = new URLSearchParams(search).getAll("setup");
  return texts.length > 0 && (texts.join("") === "" || setupOfAddress(search).size > 0);
}

export const formatSetup = (setup: Setup): string => [...setup.values()].join(",");

/** `?setup=…`, or nothing without a setup. */
export const setupQueryOf = (setup: Setup): string => (setup.size > 0 ? `?setup=${formatSetup(setup)}` : "");

/** The chosen label of each group of tabs. */
export function tabsOfSetup(setup: Setup): Map<string, string> {
  const parts = SETUP_PARTS.filter(({ id }) => setup.has(id));
  return new Map(parts.map(({ id }, at) => [id, namesOfSetup(setup)[at] ?? ""]));
}

/** @param tabs as stored by the browser: may contain anything */
export function setupOfTabs(tabs: { readonly [group: string]: unknown }): Setup {
  return collect((values, part) =>
    values.find(({ name }) => Object.hasOwn(tabs, part) && name === tabs[part]),
  );
}

function namesOfSetup(setup: Setup): string[] {
  return SETUP_PARTS.flatMap(({ id, values }) =>
    values.filter((value) => value.id === setup.get(id)).map(({ name }) => name),
  );
}

/** "GitHub Actions, arm64 and pnpm" */
export function describeSetup(setup: Setup): string {
  const names = namesOfSetup(setup);
  const last = names.pop() ?? "";
  return names.length > 0 ? `${names.join(", ")} and ${last}` : last;
}

interface Value {
  readonly id: string;
  readonly name: string;
}

function collect(find: (values: readonly Value[], part: string) => Value | undefined): Setup {
  return new Map(
    SETUP_PARTS.flatMap(({ id, values }): [string, string][] => {
      const value = find(values, id);
      return value ? [[id, value.id]] : [];
    }),
  );
}
