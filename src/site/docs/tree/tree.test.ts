// @vitest-environment happy-dom
/**
 * 1. A link is matched when the pathname equals its path or continues it by a whole segment; an `end` link
 *    only when equal; trailing slashes do not count.
 * 2. The tree of a page: current and matched links, the trail, sub-links shown under matched links only,
 *    badges. On-demand sub-links are always counted, and are in the HTML only of pages that show them.
 * 3. Text from the navigation cannot become markup.
 * 6. A section and a link that are previews have a mark after their label, before the count, and in their name.
 * 4. For all pages A and B, `updateTree` turns the DOM of A into exactly the DOM of B. A branch that both
 *    show stays the same node, so that focus in it is kept.
 * 5. Folding a section is remembered and survives updates; the others stay open; a broken stored value counts
 *    as none.
 */
import * as fc from "fast-check";
import { beforeEach, describe, expect, it } from "vitest";
import { applyClosedSections, toggleSection } from "./closed-sections.ts";
import { matchLink } from "./match-link.ts";
import { renderBranches, renderTree } from "./render-tree.ts";
import type { TreeNavigation } from "./types.ts";
import { updateTree } from "./update-tree.ts";

const guide = "/docs/builds/guides/dockerfiles";
const navigation: TreeNavigation = {
  top: [
    { to: "/docs", children: "Get Started", end: true },
    { to: "/docs/faq", children: "FAQs" },
  ],
  sections: [
    {
      name: "Container Builds",
      icon: "container",
      links: [{ to: "/docs/builds/overview", children: "Overview" }],
      subSections: [
        {
          name: "How-To Guides",
          links: [
            {
              to: guide,
              children: "Optimal Dockerfiles",
              subLinks: [
                {
                  to: `${guide}/go`,
                  children: "Go",
                  isOnDemand: true,
                  subLinks: [
                    {
                      to: `${guide}/go/cgo`,
                      children: "cgo",
                      subLinks: [{ to: `${guide}/go/cgo/musl`, children: "musl" }],
                    },
                  ],
                },
                {
                  to: `${guide}/node`,
                  children: "Node",
                  isOnDemand: true,
                  subLinks: [
                    { to: `${guide}/node/next`, children: "Next" },
                    { to: `${guide}/node/workspaces`, children: "Workspaces" },
                  ],
                },
              ],
            },
            { to: "/docs/integrations/tailscale", children: "Tailscale" },
          ],
        },
      ],
    },
    {
      name: "Cache",
      icon: "database-zap",
      links: [
        { to: "/docs/cache", children: "Cache" },
        { to: "/docs/cached", children: "Cached" },
        { to: "/docs/integrations/tailscale", children: "Tailscale" },
      ],
    },
  ],
};

const paths = [
  "/docs /docs/ /docs/faq /docs/faqs /docs/builds/overview /docs/cache /docs/cache/overview /docs/cached/".split(
    " ",
  ),
  [guide, `${guide}/go`, `${guide}/go/cgo`, `${guide}/go/cgo/musl`, `${guide}/node/`, `${guide}/node/next`],
  ["/docs/integrations/tailscale", "/docs/unknown", "/"],
].flat();

function treeOf(pathname: string, tree = navigation): HTMLElement {
  const nav = document.createElement("nav");
  nav.className = "tree";
  nav.innerHTML = renderTree(tree, pathname, "/icons.svg");
  return nav;
}

const follow = (tree: ParentNode, pathname: string) =>
  updateTree(tree, pathname, renderBranches(navigation, pathname));

const labels = (root: Element, selector: string) =>
  [...root.querySelectorAll(selector)].map((element) => element.firstChild?.textContent ?? "");

const headOf = (tree: ParentNode, section: string) =>
  [...tree.querySelectorAll(".tree-head")].find((head) => head.textContent === section);

function fold(tree: ParentNode, section: string): void {
  const head = headOf(tree, section);
  if (!head) throw new Error(`There is no section ${section}.`);
  toggleSection(head);
}
const closed = (tree: ParentNode) =>
  [...tree.querySelectorAll('.tree-head[aria-expanded="false"]')].map((head) => head.textContent);

beforeEach(() => localStorage.clear());

describe("matchLink", () => {
  it.each([
    ["/docs", "/docs", true, "current"],
    ["/docs", "/docs/", true, "current"],
    ["/docs", "/docs/faq", true, "none"],
    ["/docs/cache", "/docs/cache/overview", false, "matched"],
    ["/docs/cache/", "/docs/cache//", false, "current"],
    ["/docs/cache", "/docs/cached", false, "none"],
    ["/docs/cache/overview", "/docs/cache", false, "none"],
    ["/docs/cache", "/docs/cache/overview", true, "none"],
  ])("%s on %s (1)", (to, pathname, isExact, expected) => {
    expect(matchLink(to, pathname, isExact)).toBe(expected);
  });
});

describe("renderTree", () => {
  it("marks the page, what leads to it, and shows its siblings (2)", () => {
    const tree = treeOf(`${guide}/go`);
    expect(labels(tree, "[aria-current='page']")).toEqual(["Go"]);
    expect(labels(tree, ".is-matched")).toEqual(["Optimal Dockerfiles", "Go"]);
    expect(labels(tree, ".is-trail > a")).toEqual(["Optimal Dockerfiles", "Go"]);
    const shown = [...tree.querySelectorAll(".branch .branch")].filter(
      (branch) => !branch.hasAttribute("hidden"),
    );
    expect(shown.map((branch) => labels(branch, ":scope > li > a"))).toEqual([["Go", "Node"], ["cgo"]]);
    expect(labels(tree, ".tree-sub")).toEqual(["How-To Guides"]);
  });

  it("hides the sub-links of a link that is not matched (2)", () => {
    const branches = [...treeOf("/docs/cache").querySelectorAll(".branch .branch")];
    expect(branches.length).toBeGreaterThan(0);
    expect(branches.every((branch) => branch.hasAttribute("hidden"))).toBe(true);
  });

  it("matches Get Started on its own page only (2)", () => {
    expect(labels(treeOf("/docs"), "[aria-current]")).toEqual(["Get Started"]);
    expect(labels(treeOf("/docs/faq"), ".is-matched")).toEqual(["FAQs"]);
  });

  it("counts direct sub-links (2)", () => {
    const counts = [...treeOf("/docs").querySelectorAll(".count")];
    expect(counts.map((count) => [count.textContent, count.getAttribute("aria-label")])).toEqual([
      ["2", "2 pages"],
      ["1", "1 page"],
      ["2", "2 pages"],
    ]);
  });

  it("has sub-links on demand where they are shown (2)", () => {
    const hrefs = (pathname: string) =>
      [...treeOf(pathname).querySelectorAll(`a[href^="${guide}/node/"]`)].map((link) => link.textContent);
    expect(hrefs("/docs")).toEqual([]);
    expect(hrefs(guide)).toEqual([]);
    for (const shown of [`${guide}/node`, `${guide}/node/next`, `${guide}/node/unknown`])
      expect(hrefs(shown), shown).toEqual(["Next", "Workspaces"]);
    expect(labels(treeOf(`${guide}/node/next`), "[aria-current]")).toEqual(["Next"]);
    expect(renderBranches(navigation, "/docs")).toEqual({});
    expect(Object.keys(renderBranches(navigation, `${guide}/node/next`))).toEqual([`${guide}/node`]);
  });

  it("indents three levels (2)", () => {
    const flat = treeOf(`${guide}/go/cgo/musl`).querySelectorAll(".is-flat");
    expect([...flat].map((branch) => labels(branch, ":scope > li > a"))).toEqual([["musl"]]);
  });

  it("has every section open, with its icon (2)", () => {
    const heads = [...treeOf("/docs").querySelectorAll(".tree-head")];
    expect(heads.map((head) => head.getAttribute("aria-expanded"))).toEqual(["true", "true"]);
    expect(heads.map((head) => head.querySelector("use")?.getAttribute("href"))).toEqual([
      "/icons.svg#l-container",
      "/icons.svg#l-database-zap",
    ]);
    expect(renderTree(navigation, "/docs")).toContain('href="{{sprite}}#l-container"');
  });

  it("marks previews (6)", () => {
    const overview = { to: "/docs/aws", children: "Overview", isPreview: true };
    const section = {
      name: "AWS",
      icon: "cloud",
      links: [{ ...overview, subLinks: [{ ...overview, to: "/docs/aws/gpus" }] }],
    };
    const whole = {
      name: "Agents",
      icon: "bot",
      isPreview: true,
      links: [{ to: "/docs/agents", children: "Start" }],
    };
    const tree = treeOf("/docs", { top: [], sections: [section, whole] });
    expect([...tree.querySelectorAll("a, button")].map(({ textContent }) => textContent)).toEqual([
      "AWS",
      "Overview Preview1",
      "Overview Preview",
      "Agents Preview",
      "Start",
    ]);
    expect(labels(tree, "a")).toEqual(["Overview", "Overview", "Start"]);
  });

  it("escapes labels, names and paths (3)", () => {
    const label = fc.string({ unit: fc.constantFrom("<", ">", "&", '"', "'", "b", "/", "&lt;") });
    fc.assert(
      fc.property(label, label, (children, name) => {
        const section = { name, icon: "bot", links: [{ to: `/docs/${name}`, children }] };
        const tree = treeOf("/docs", { top: [{ to: "/docs", children }], sections: [section] });
        expect(labels(tree, "a")).toEqual([children, children]);
        expect(tree.querySelector(".tree-head")?.textContent).toBe(name);
        expect(tree.querySelectorAll("b")).toHaveLength(0);
      }),
    );
  });
});

describe("updateTree", () => {
  it("turns the tree of any page into that of any other (4)", () => {
    const path = fc.oneof(
      fc.constantFrom(...paths),
      fc.constantFrom(...paths).map((known) => `${known}/x`),
    );
    fc.assert(
      fc.property(fc.array(path, { minLength: 2, maxLength: 5 }), (visited) => {
        const tree = treeOf(visited[0] ?? "");
        for (const pathname of visited.slice(1)) follow(tree, pathname);
        expect(tree.innerHTML).toBe(treeOf(visited.at(-1) ?? "").innerHTML);
      }),
      { numRuns: 50 },
    );
  });

  it("keeps the branch of the page before where both show it (4)", () => {
    const tree = treeOf(`${guide}/node/next`);
    const link = tree.querySelector(`a[href="${guide}/node/workspaces"]`);
    follow(tree, `${guide}/node/workspaces`);
    expect(tree.contains(link)).toBe(true);
    expect(link?.getAttribute("aria-current")).toBe("page");
  });
});

describe("folding", () => {
  it("is remembered, and undone by a second click (5)", () => {
    const tree = treeOf("/docs");
    fold(tree, "Cache");
    expect(closed(tree)).toEqual(["Cache"]);
    follow(tree, "/docs/cache");
    expect(closed(tree)).toEqual(["Cache"]);
    const next = treeOf("/docs/faq");
    document.body.replaceChildren(next);
    applyClosedSections();
    expect(closed(next)).toEqual(["Cache"]);
    fold(next, "Cache");
    expect(closed(next)).toEqual([]);
    expect(localStorage.getItem("tree")).toBe("[]");
  });

  it.each(["", "{", "null", "3", '"Cache"', "[3]"])("takes %j for nothing closed (5)", (stored) => {
    localStorage.setItem("tree", stored);
    const tree = treeOf("/docs");
    document.body.replaceChildren(tree);
    applyClosedSections();
    expect(closed(tree)).toEqual([]);
  });
});
