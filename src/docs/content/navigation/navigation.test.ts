/**
 * Properties of the navigation tree:
 * 1. Labels are the pages' short titles unless the tree has its own; links to unknown pages are left out and reported.
 * 2. A page that is missing in the tree, or twice in one section, is a problem; in two sections it is not.
 * 3. The order has every page once; previous and next follow it across sections.
 * 4. Pages in `more` are below their link: in the order, in the breadcrumbs, and previous and next lead through them;
 *    previous and next of the other pages skip them.
 * 5. A sub-link whose page does not match its parent would never be shown as current, and is a problem.
 * 6. Breadcrumbs go section › subsection › parent › page; a section leads to its first page.
 * 7. The pages of a folder that `all` names are links, in the order of their labels; pages below them are not.
 * 8. A section is a preview as long as all its pages are; once one page is not, the section loses its mark, and pages keep theirs.
 */
import { expect, test } from "vitest";
import type { Availability } from "../types.ts";
import { breadcrumbs, neighbours, pageOrder, readNavigation, sectionOf } from "./navigation.ts";

const tree = `
top:
  - { to: /docs, label: Get Started, end: true }
sections:
  - name: Builds
    icon: container
    links:
      - to: /docs/builds/overview
    subSections:
      - name: How-To Guides
        links:
          - to: /docs/builds/files
            links:
              - to: /docs/builds/files/go
      - name: Reference
        links:
          - to: /docs/vpn
  - name: Runners
    icon: workflow
    links:
      - to: /docs/vpn
`;
const pages = [
  "/docs",
  "/docs/builds/overview",
  "/docs/builds/files",
  "/docs/builds/files/go",
  "/docs/vpn",
].map((path) => ({
  path,
  file: `content${path}.mdx`,
  navTitle: path.slice(path.lastIndexOf("/") + 1),
  availability: "available" as Availability,
}));
const read = (source: string, known: readonly (typeof pages)[number][] = pages) =>
  readNavigation(source, "content/navigation.yaml", known);
const { navigation, problems } = read(tree);

test("labels", () => {
  expect(problems).toEqual([]);
  expect(navigation.top).toEqual([
    { to: "/docs", label: "Get Started", end: true, isPreview: false, links: [], more: [] },
  ]);
  expect(navigation.sections[0]?.subSections[0]?.links[0]).toMatchObject({
    label: "files",
    links: [{ label: "go" }],
  });
});

test.each([
  [
    "an unknown page",
    tree.replace("- to: /docs/builds/files\n", "- to: /docs/builds/fils\n"),
    pages,
    12,
    "Did you mean",
  ],
  [
    "twice in a section",
    tree.replace("/docs/builds/files/go", "/docs/builds/overview"),
    pages,
    8,
    "twice in one section",
  ],
  [
    "not in the tree",
    tree,
    [...pages, { ...pages[0]!, path: "/docs/lost", file: "content/docs/lost.mdx" }],
    1,
    "not in content/navigation.yaml",
  ],
  [
    "a sub-link of another path",
    tree.replace("- to: /docs/builds/overview\n", "- to: /docs/builds/overview\n        more: [/docs/vpn]\n"),
    pages,
    9,
    "/docs/vpn is a sub-link of /docs/builds/overview but does not match it",
  ],
  [
    "a sub-link of an exact link",
    tree.replace("- to: /docs/builds/files\n", "- to: /docs/builds/files\n            end: true\n"),
    pages,
    15,
    "/docs/builds/files/go is a sub-link of /docs/builds/files but does not match it",
  ],
  [
    "links and more",
    tree.replace("- to: /docs/builds/files\n", "- to: /docs/builds/files\n            more: [/docs/vpn]\n"),
    pages,
    12,
    "both links and more",
  ],
  ["a wrong field", tree.replace("icon: container", "icons: container"), pages, 5, "sections.0.icon"],
  ["a wrong icon", tree.replace("icon: container", "icon: A B"), pages, 6, "name of a Lucide icon"],
  ["not YAML", "top: [", pages, 1, "Not YAML"],
])("%s is reported", (_name, source, known, line, message) => {
  const found = read(source, known).problems.find((problem) => problem.message.includes(message));
  expect(found?.line).toBe(line);
});

test("a link to an unknown page is left out", () => {
  const { navigation: smaller } = read(tree, pages.slice(0, 2));
  expect(pageOrder(smaller).map(({ to }) => to)).toEqual(["/docs", "/docs/builds/overview"]);
});

test("order, previous and next", () => {
  expect(pageOrder(navigation).map(({ to }) => to)).toEqual(pages.map(({ path }) => path));
  expect(neighbours(navigation, "/docs/builds/overview")).toMatchObject({
    previous: { to: "/docs" },
    next: { to: "/docs/builds/files" },
  });
  expect(neighbours(navigation, "/docs")).toMatchObject({ previous: null });
  expect(neighbours(navigation, "/docs/vpn")).toMatchObject({ next: null });
  expect(neighbours(navigation, "/nowhere")).toEqual({ previous: null, next: null });
});

test("pages in `more`", () => {
  const below = ["/docs/builds/overview/secrets", "/docs/builds/overview/proofs"];
  const known = below.map((path) => ({
    path,
    file: `content${path}.mdx`,
    navTitle: path.slice(22),
    availability: "available" as const,
  }));
  const source = tree.replace(
    "- to: /docs/builds/overview\n",
    `- to: /docs/builds/overview\n        more: [${below.join(", ")}]\n`,
  );
  const found = read(source, [...pages, ...known]);
  expect(found.problems).toEqual([]);
  const order = pageOrder(found.navigation).map(({ to }) => to);
  expect(order.slice(1, 5)).toEqual(["/docs/builds/overview", ...below, "/docs/builds/files"]);
  expect(breadcrumbs(found.navigation, below[1] ?? "").map(({ label }) => label)).toEqual([
    "Builds",
    "overview",
    "proofs",
  ]);
  expect(sectionOf(found.navigation, below[0] ?? "")).toBe("Builds");
  const ends = (path: string) => {
    const { previous, next } = neighbours(found.navigation, path);
    return [previous?.to, next?.to];
  };
  expect(ends(below[0] ?? "")).toEqual(["/docs/builds/overview", below[1]]);
  expect(ends(below[1] ?? "")).toEqual([below[0], undefined]);
  expect(ends("/docs/builds/overview")).toEqual(["/docs", "/docs/builds/files"]);
  expect(read(source).problems.map(({ message }) => message.split(".")[0])).toEqual([
    `There is no page ${below[0]}`,
    `There is no page ${below[1]}`,
  ]);
});

test("breadcrumbs and section", () => {
  expect(breadcrumbs(navigation, "/docs/builds/files/go")).toEqual([
    { label: "Builds", to: "/docs/builds/overview" },
    { label: "How-To Guides" },
    { label: "files", to: "/docs/builds/files" },
    { label: "go", to: "/docs/builds/files/go" },
  ]);
  expect(breadcrumbs(navigation, "/docs")).toEqual([{ label: "Get Started", to: "/docs" }]);
  expect(breadcrumbs(navigation, "/nowhere")).toEqual([]);
  expect(sectionOf(navigation, "/docs/vpn")).toBe("Builds");
  expect(sectionOf(navigation, "/docs")).toBe("Documentation");
});

test("all pages of a folder (7)", () => {
  const names = ["/docs/tools/zig", "/docs/tools/ant", "/docs/tools/ant/tasks", "/docs/toolsmith"];
  const known = [...pages, ...names.map((path) => ({ ...pages[0]!, path, navTitle: path.slice(-3) }))];
  const source = tree.replace(
    "- to: /docs/vpn\n  - name",
    "- to: /docs/vpn\n        all: /docs/tools\n  - name",
  );
  const found = read(source, known);
  expect(found.navigation.sections[0]?.subSections[1]?.links.map(({ to }) => to)).toEqual([
    "/docs/vpn",
    "/docs/tools/ant",
    "/docs/tools/zig",
  ]);
  expect(found.problems.map(({ message }) => message)).toHaveLength(2);
});

test("previews (8)", () => {
  const marksWith = (waiting: readonly string[]) => {
    const some = pages.map((page): typeof page => {
      return { ...page, availability: waiting.includes(page.path) ? "preview" : "available" };
    });
    const { sections } = read(tree, some).navigation;
    const [guides] = sections[0]!.subSections;
    return [sections.map(({ isPreview }) => isPreview), guides!.links[0]!.isPreview];
  };
  expect(marksWith([])).toEqual([[false, false], false]);
  expect(marksWith(["/docs/vpn"])).toEqual([[false, true], false]);
  const builds = ["/docs/builds/overview", "/docs/builds/files", "/docs/builds/files/go", "/docs/vpn"];
  expect(marksWith(builds)).toEqual([[true, true], true]);
  // A page of a subsection, and a page below another page.
  expect(marksWith(builds.slice(0, 3))).toEqual([[false, false], true]);
  expect(marksWith(builds.filter((path) => !path.endsWith("/go")))).toEqual([[false, true], true]);
});
