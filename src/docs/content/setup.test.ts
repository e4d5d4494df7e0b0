/**
 * Properties of content that follows a reader's setup:
 * 1. Content for some readers only is marked: in tabs of a part, in rows that name a value, in samples with the name of a
 *    provider's file, on a value's own page. No other content is.
 * 2. Markdown is the same with and without marks; with a choice, it has the chosen tab and not the others; if no tab
 *    is chosen, all of them.
 * 3. A tab that is not a value of its part is a mistake, reported with the valid values; so are duplicate ids, and
 *    pages that do not exist.
 */
import { describe, expect, test } from "vitest";
import { components } from "../components/components.ts";
import { checkSetup } from "./checks/check-setup.ts";
import { pageOf } from "./checks/page-fixture.ts";
import { compilePage } from "./page/compile-page.ts";
import { type Facts, noFacts } from "./facts/facts.ts";
import { chooseTabs } from "./blocks/markdown-tabs.ts";

const provider = (id: string, name: string, file: string) => ({
  id,
  name,
  file,
  page: `/docs/ci/${id}`,
  oidc: false,
  credentials: "None",
  part: "site",
});

const facts: Facts = {
  ...noFacts,
  providers: { providers: [provider("gitlab-ci", "GitLab CI", ".gitlab-ci.yml")] },
  setup: {
    setup: [
      {
        id: "package-manager",
        name: "Package manager",
        values: [
          { id: "npm", name: "npm" },
          { id: "pnpm", name: "pnpm" },
        ],
      },
    ],
  },
};

const DESCRIPTION = "What a reader has at the end of this page, said in some more words.";
const HEAD = `# Page\n\n${DESCRIPTION}\n\nFirst.\n\n`;

const tabs = (group: string, labels: string[], inner = (label: string) => `Text of ${label}.`) =>
  `<Tabs group="${group}">\n${labels
    .map((label) => `<Tab label="${label}">\n\n${inner(label)}\n\n</Tab>`)
    .join("\n")}\n</Tabs>`;

async function compile(body: string, file = "content/docs/page.mdx") {
  const head = `---\ntitle: Page\nnavTitle: Page\ndescription: ${DESCRIPTION}\ntype: guide\npart: none\n---\n\nFirst.\n\n`;
  const { page, problems } = await compilePage(file, `${head}${body}\n`, { facts, components });
  if (!page) throw new Error(JSON.stringify(problems));
  return { page, problems };
}

describe("whom it is for (1)", () => {
  test("tabs of a part, and no others", async () => {
    const { page } = await compile(
      `${tabs("package-manager", ["npm", "pnpm"])}\n\n${tabs("taste", ["npm", "sweet"])}\n\nAfter.`,
    );
    const readers = page.blocks.map((block) => ["text" in block && block.text, block.for]);
    expect(readers).toEqual([
      ["First.", undefined],
      ["Text of npm.", ["npm"]],
      ["Text of pnpm.", ["pnpm"]],
      ["Text of npm.", undefined],
      ["Text of sweet.", undefined],
      ["After.", undefined],
    ]);
  });

  test("rows and samples", async () => {
    const { page } = await compile(
      '| Provider | Say |\n| --- | --- |\n| GitLab CI | yes |\n| another | GitLab CI too |\n\n```yaml title=".gitlab-ci.yml, a job"\na: b\n```\n\n```yaml title="other.yml"\na: b\n```',
    );
    const [, table, own, other] = page.blocks;
    expect(table?.kind === "table" && table.rows.map((row) => row.for)).toEqual([["gitlab-ci"], undefined]);
    expect([own?.for, other?.for]).toEqual([["gitlab-ci"], undefined]);
  });

  test("a value's own page", async () => {
    expect((await compile("Text.", "content/docs/ci/gitlab-ci.mdx")).page.for).toEqual(["gitlab-ci"]);
    expect((await compile("Text.")).page.for).toEqual([]);
  });
});

describe("Markdown (2)", () => {
  const choose = async (body: string, choices: [string, string][]) => {
    const { page } = await compile(body);
    return chooseTabs(page.markdownWithTabs ?? "none", new Map(choices));
  };

  test("has no marks, and none are kept for other tabs", async () => {
    const { page } = await compile(
      `1. First.\n\n   ${tabs("taste", ["sweet"]).replaceAll("\n", "\n   ")}\n2. Then.`,
    );
    expect(page.markdown).not.toContain("<!--");
    expect(page.markdown).toMatch(/^1\. First\.\n\n {3}## sweet\n\n {3}Text of sweet\.\n+2\. Then\.\n$/m);
    expect(page).not.toHaveProperty("markdownWithTabs");
  });

  test("has the chosen tab alone", async () => {
    const body = `Before.\n\n${tabs("package-manager", ["npm", "pnpm"])}\n\nAfter.`;
    const { page } = await compile(body);
    const all = "Before.\n\n## npm\n\nText of npm.\n\n## pnpm\n\nText of pnpm.\n\nAfter.\n";
    expect(page.markdown).toBe(HEAD + all);
    expect(await choose(body, [])).toBe(page.markdown);
    expect(await choose(body, [["package-manager", "bun"]])).toBe(page.markdown);
    expect(await choose(body, [["package-manager", "npm"]])).toBe(
      `${HEAD}Before.\n\n## npm\n\nText of npm.\n\nAfter.\n`,
    );
    expect(await choose(body, [["package-manager", "pnpm"]])).toBe(
      `${HEAD}Before.\n\n## pnpm\n\nText of pnpm.\n\nAfter.\n`,
    );
  });

  test("has the chosen tab of tabs in a tab", async () => {
    const body = tabs("package-manager", ["npm", "pnpm"], (label) =>
      tabs("ci", ["GitLab CI"], () => `${label} there.`),
    );
    const text = await choose(body, [
      ["package-manager", "pnpm"],
      ["ci", "GitLab CI"],
    ]);
    expect(text).toBe(`${HEAD}## pnpm\n\n### GitLab CI\n\npnpm there.\n`);
  });
});

describe("mistakes (3)", () => {
  test("a tab that is not a value", async () => {
    const { problems } = await compile(tabs("package-manager", ["npm", "pnmp"]));
    expect(problems).toEqual([
      {
        file: "content/docs/page.mdx",
        line: 17,
        rule: "setup",
        severity: "error",
        message: 'The group "package-manager" has no tab "pnmp". Did you mean "pnpm"?',
        fix: '<Tab label="npm"> or <Tab label="pnpm">; content/facts/setup.yaml and providers.yaml list them',
      },
    ]);
  });

  test("ids and pages", () => {
    const page = pageOf({ path: "/docs/ci/gitlab-ci" });
    expect(checkSetup([page], facts)).toEqual([]);
    const part = { id: "shell", name: "Shell", values: [{ id: "npm", name: "npm", page: "/docs/nowhere" }] };
    const wrong = { ...facts, setup: { setup: [...facts.setup.setup, part] } };
    expect(checkSetup([page], wrong).map(({ message }) => message)).toEqual([
      'The id "npm" occurs twice.',
      "There is no page /docs/nowhere. There are: /docs/ci/gitlab-ci.",
    ]);
  });
});
