import { type LinkSource, type NamedPage, type NavigationSource, sectionLinks } from "./navigation-source.ts";
import { didYouMean, type ProblemList } from "../problem.ts";

/** Every page is in the tree, once per section, and every link and sub-link of the tree leads to a page that it matches. */
export function checkTree(
  source: NavigationSource,
  { pages, broken }: { pages: readonly NamedPage[]; broken: readonly string[] },
  lineOf: (path: string) => number,
  problems: ProblemList,
): void {
  const paths = pages.map(({ path }) => path);
  const known = new Set([...paths, ...broken]);
  const groups = [source.top, ...source.sections.map((section) => sectionLinks(section))];
  for (const group of groups) {
    checkSubLinks(group, lineOf, problems);
    const seen = new Set<string>();
    for (const to of pathsOf(group)) {
      if (!known.has(to)) {
        const fix = `Create content${to === "/docs" ? "/docs/index" : to}.mdx, or remove the link.`;
        problems.error(lineOf(to), "navigation", `There is no page ${to}.${didYouMean(to, paths)}`, fix);
      }
      if (seen.has(to)) {
        problems.error(
          lineOf(to),
          "navigation",
          `${to} appears twice in one section.`,
          "Remove one of the two.",
        );
      }
      seen.add(to);
    }
  }
  const named = new Set(groups.flatMap((group) => pathsOf(group)));
  for (const page of pages) {
    if (named.has(page.path)) continue;
    problems.problems.push({
      file: page.file,
      line: 1,
      rule: "navigation",
      severity: "error",
      message: `The page is not in content/navigation.yaml.`,
      fix: `- to: ${page.path}`,
    });
  }
}

/** A sub-link is shown while its parent is matched: with another path, its page would have no current link. */
function checkSubLinks(
  links: readonly LinkSource[],
  lineOf: (path: string) => number,
  problems: ProblemList,
): void {
  for (const { to, end, links: inner, more } of links) {
    if (inner.length > 0 && more.length > 0) {
      const fix = "Move the pages of `more` to `links`.";
      problems.error(lineOf(to), "navigation", `${to} has both links and more.`, fix);
    }
    for (const below of [...more, ...inner.map((link) => link.to)]) {
      if (!end && below.startsWith(`${to}/`)) continue;
      const fix = `Move the page to ${to}/…, or its link to another place${end ? ", or remove `end`" : ""}.`;
      problems.error(
        lineOf(below),
        "navigation",
        `${below} is a sub-link of ${to} but does not match it.`,
        fix,
      );
    }
    checkSubLinks(inner, lineOf, problems);
  }
}

function pathsOf(links: readonly LinkSource[]): string[] {
  return links.flatMap(({ to, more, links: inner }) => [to, ...more, ...pathsOf(inner)]);
}
