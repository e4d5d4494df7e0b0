/**
 * One MDX file → one `Page`. The order: hide placeholders, parse, unravel components, check, replace facts by their
 * Markdown, give headings their ids; then the same tree becomes HTML (→ text, headings, links) and plain Markdown.
 */
import type { Root as HtmlRoot } from "hast";
import type { Root } from "mdast";
import { toString } from "mdast-util-to-string";
import rehypeStringify from "rehype-stringify";
import { unified } from "unified";
import { visit } from "unist-util-visit";
import { availabilityOf, isPreviewSample } from "./availability.ts";
import { checkPage } from "./check-page.ts";
import { checkSetupTabs } from "../checks/check-setup.ts";
import { unravelComponents } from "../blocks/component-nodes.ts";
import type { Components, HtmlContext } from "../blocks/component.ts";
import { makeEnlargeable } from "../blocks/enlargeable.ts";
import { expandFacts } from "./expand-facts.ts";
import { extractPage } from "./extract-page.ts";
import type { Facts } from "../facts/facts.ts";
import { markTerms } from "../words/glossary.ts";
import { fillPlaces } from "../facts/fact-places.ts";
import { pageMarkdown } from "./markdown.ts";
import { withoutTabMarks } from "../blocks/markdown-tabs.ts";
import { parsePage } from "./parse-page.ts";
import { restoreAll, restorePlaceholders } from "./placeholders.ts";
import { markParts, type PagesToCome } from "./preview-marks.ts";
import { lineOf, ProblemList } from "../problem.ts";
import { proseOf, samplesOf } from "./read-source.ts";
import { placeLineBreaks } from "../blocks/line-breaks.ts";
import { addOldAnchors, removeUnsafeAddresses, renderHtml } from "./render-html.ts";
import { pathOfFile } from "./page-file.ts";
import { addReaders, addSetupLinks, setupParts, valueOfTab, valuesOfPage } from "../setup.ts";
import { Slugger } from "./slugger.ts";
import type { ContentProblem, Page } from "../types.ts";

export interface CompileOptions {
  facts: Facts;
  components: Components;
  /** Without it, no link is marked. */
  toCome?: PagesToCome;
  imageSize?: HtmlContext["imageSize"];
  /** For another page's ids (`editions/english-ids.ts`). */
  slugger?: Slugger;
  /** A translation: changes the finished HTML. Words of the glossary, which is in English, are not marked then. */
  finish?: (html: HtmlRoot) => void;
}

export interface CompiledPage {
  /** null if the front matter is wrong or the body cannot be parsed; the caller fills `updated` and `ran`. */
  page: Page | null;
  problems: ContentProblem[];
}

const htmlWriter = unified()
  .use(rehypeStringify, {
    collapseEmptyAttributes: true,
    characterReferences: { useNamedReferences: true },
    closeEmptyElements: true,
    tightSelfClosing: true,
  })
  .freeze();

/** @param file relative to the repository root: `content/docs/cache/overview.mdx` */
export async function compilePage(
  file: string,
  source: string,
  options: CompileOptions,
): Promise<CompiledPage> {
  const { components, facts } = options;
  const problems = new ProblemList(file);
  const { frontMatter, tree } = parsePage(fillPlaces(source, facts), problems);
  if (tree) {
    unravelComponents(tree, components);
    checkPage(tree, components, problems);
    checkSetupTabs(tree, setupParts(facts), problems);
    removeExpressions(tree);
  }
  if (!frontMatter || !tree) return { page: null, problems: problems.problems };

  const samples = samplesOf(tree);
  const prose = proseOf(tree);
  const { slugger = new Slugger() } = options;
  nameHeadings(tree, slugger, problems);
  expandFacts(tree, { components, facts, slugger, problems });
  const availability = availabilityOf(frontMatter.part, facts);
  if (availability === "available") markParts(tree, facts, options.toCome);
  const tabs = withoutTabMarks(pageMarkdown(frontMatter, tree, components), setupParts(facts));
  const html = await renderHtml(tree, {
    title: frontMatter.title,
    components,
    slugger,
    imageSize: options.imageSize ?? (() => null),
    isPreview: ({ lang, value }) => isPreviewSample(lang, value, facts),
  });
  removeUnsafeAddresses(html);
  const parts = setupParts(facts);
  const extract = extractPage(html, (group, label) => valueOfTab(parts, group, label));
  const path = pathOfFile(file);
  // Additions for readers only: from here on, the tree is no longer read for text and links.
  if (!options.finish) markTerms(html, path);
  makeEnlargeable(html);
  addSetupLinks(html, parts);
  placeLineBreaks(html);
  addOldAnchors(html, frontMatter.renamed);
  options.finish?.(html);
  const page: Page = {
    path,
    file,
    ...frontMatter,
    availability,
    html: htmlWriter.stringify(html),
    ...tabs,
    ...extract,
    blocks: addReaders(extract.blocks, parts),
    for: valuesOfPage(parts, path),
    samples,
    prose,
    updated: null,
    ran: null,
  };
  return { page: restoreAll(page), problems: restoreAll(problems.problems) };
}

/** Expressions are already reported; without them, the rest of the page can be read. */
function removeExpressions(tree: Root): void {
  visit(tree, (node, index, parent) => {
    if (!parent || index === undefined || !/^mdx(jsEsm|TextExpression|FlowExpression)$/.test(node.type))
      return undefined;
    parent.children.splice(index, 1);
    return index;
  });
}

function nameHeadings(tree: Root, slugger: Slugger, problems: ProblemList): void {
  visit(tree, "heading", (heading) => {
    const text = toString(heading);
    if (!slugger.isFree(text)) {
      const fix = `${"#".repeat(heading.depth)} ${restorePlaceholders(text)} <say which one>`;
      problems.error(lineOf(heading), "heading-id", `The page has two headings "${text}".`, fix);
    }
    heading.data = { ...heading.data, hProperties: { id: slugger.slug(text) } };
  });
}
