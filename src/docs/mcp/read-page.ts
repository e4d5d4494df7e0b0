/**
 * The tool `read_page`: the Markdown of a page, or of the section that an anchor names, in parts if it is long.
 *
 *     Source: https://docs.example.com/docs/cache/overview#eviction
 *     Part of: How the cache works
 *
 *     ## Eviction
 *     …
 *
 *     (Characters 0 to 19874 of 41210. Call read_page with offset 19874 for the next part.)
 */
import * as z from "zod";
import { siteConfig } from "#config";
import { fillPlaceholders } from "../content/page/placeholders.ts";
import { previewNote } from "../content/page/preview-note.ts";
import type { Page } from "../content/types.ts";
import type { Library } from "./library.ts";
import { MAX_ADDRESS_LENGTH, MAX_NAMED_ANCHORS, MAX_PART_LENGTH } from "./limits.ts";
import { parsePageAddress } from "./page-address.ts";
import { findSections, type Section, sectionOfAnchor } from "./page-sections.ts";
import { createTool, type DocsTool, ToolError } from "./tool.ts";

const answerSchema = z.object({
  source: z.string().describe("The address of the page or section, for citing."),
  title: z.string().describe("The page's title."),
  isPreview: z.boolean().describe("Whether the page is about a part that does not run yet."),
  markdown: z.string().max(MAX_PART_LENGTH).describe("This part of the text."),
  length: z.int().describe("Characters of the whole text."),
  nextOffset: z.int().nullable().describe("The offset of the next part; null: this is the last one."),
});

export function createReadTool(origin: string, library: Library): DocsTool {
  return createTool({
    name: "read_page",
    title: `Read a page of the documentation of ${siteConfig.name}`,
    description: `Returns a page of the documentation of ${siteConfig.name} as Markdown, or one section of it if the address has an anchor. Accepts addresses that search_docs returns, and links between pages.`,
    input: z.strictObject({
      page: z
        .string()
        .trim()
        .min(1)
        .max(MAX_ADDRESS_LENGTH)
        .describe(`Path or address of the page. Add the anchor of a section to read only that section.`)
        .meta({ examples: examplesOf(library, origin) }),
      offset: z
        .int()
        .min(0)
        .default(0)
        .describe(
          "Where to continue a text that comes in parts: the offset given at the end of the last part.",
        ),
    }),
    output: answerSchema,
    answer({ page: address, offset }) {
      const { page, section } = findPlace(library, origin, address);
      const text = section ? page.markdown.slice(section.start, section.end) : page.markdown;
      const fill = (template: string) => fillPlaceholders(template, origin);
      const head = [
        `Source: ${origin}${page.path}${section ? `#${section.id}` : ""}`,
        ...(section ? [`Part of: ${fill(page.title)}`] : []),
        ...previewNote(page),
      ];
      const { markdown, range, ...rest } = partOf(fill(text).trim(), offset);
      const foot = range === null ? "" : `\n\n(${range})`;
      return {
        text: `${head.join("\n")}\n\n${markdown}${foot}\n`,
        data: {
          source: `${origin}${page.path}${section ? `#${section.id}` : ""}`,
          title: fill(page.title),
          isPreview: page.availability === "preview",
          markdown,
          ...rest,
        },
      };
    },
  });
}

/** A page, and a section of a page, as they are now. */
function examplesOf({ pages }: Library, origin: string): string[] {
  const [first] = pages.keys();
  const withSection = [...pages.values()].find(({ headings }) => headings.length > 0);
  const heading = withSection?.headings[0];
  return [
    ...(first === undefined ? [] : [first]),
    ...(withSection && heading ? [`${origin}${withSection.path}#${heading.id}`] : []),
  ];
}

function findPlace(library: Library, origin: string, address: string): { page: Page; section?: Section } {
  const place = parsePageAddress(address, origin, library);
  if (!place)
    throw new ToolError(
      `This is not an address of ${origin}: read_page reads only pages of this documentation.`,
    );
  const page = library.pages.get(place.path ?? "");
  if (!page)
    throw new ToolError(
      `There is no page at this address. Look for it with search_docs, or read ${origin}/llms.txt, which lists all pages.`,
    );
  const { renamed } = page;
  const anchor = (Object.hasOwn(renamed, place.anchor) && renamed[place.anchor]) || place.anchor;
  if (anchor === "") return { page };
  const sections = findSections(page);
  const id = sectionOfAnchor(page, anchor);
  const section = sections.find((candidate) => candidate.id === id);
  if (section) return { page, section };
  // A figure is in no section of the Markdown.
  if (page.anchors.includes(anchor)) return { page };
  const names = sections.slice(0, MAX_NAMED_ANCHORS).map((known) => `#${known.id}`);
  throw new ToolError(
    `${origin}${page.path} has no such section. It has: ${names.join(", ") || "none"}. Without an anchor, read_page returns the whole page.`,
  );
}

interface Part {
  markdown: string;
  /** Characters of the whole text. */
  length: number;
  /** null: this is the last part. */
  nextOffset: number | null;
  /** Says which part it is; null: it is all. */
  range: string | null;
}

/** Ends at a line break if there is one. */
function partOf(text: string, offset: number): Part {
  const { length } = text;
  if (offset === 0 && length <= MAX_PART_LENGTH)
    return { markdown: text, length, nextOffset: null, range: null };
  if (offset >= length)
    throw new ToolError(`There is nothing at offset ${offset}: this text has ${length} characters.`);
  const limit = offset + MAX_PART_LENGTH;
  const line = text.lastIndexOf("\n", limit - 1) + 1;
  const end = limit >= length ? length : line > offset ? line : limit;
  const next = end < length ? `Call read_page with offset ${end} for the next part.` : "This is the end.";
  return {
    markdown: text.slice(offset, end).trimEnd(),
    length,
    nextOffset: end < length ? end : null,
    range: `Characters ${offset} to ${end} of ${length}. ${next}`,
  };
}
