/**
 * The units of ranking. Documents that stand alone are one unit each. Documentation records are put together again
 * as sections, as a reader sees them: a section is all records with one address, its unit has its heading, the
 * headings above it and its paragraphs. Paragraphs stay apart as blocks, so that words are close only inside one.
 *
 *   records                                              units
 *   /cache            lvl1 Cache                         /cache:        heading "Cache", text, text
 *   /cache            content …                          /cache#limits: heading "Limits", page "Cache", text
 *   /cache            content …
 *   /cache#limits     lvl2 Limits (under Cache)
 *   /cache#limits     content …
 */
import { coversPath } from "../contract/attribute-paths.ts";
import { leafPaths, valuesAt } from "../file/attribute-values.ts";
import type { IndexSettings, Json, SearchDocument } from "../contract/types.ts";
import { Field } from "../contract/unit-fields.ts";
import { addressWords } from "./address-words.ts";

export interface Block {
  /** The text's role in its unit; decides its weight. */
  field: number;
  /** Number of the attribute it comes from, in `UnitPlan.attributes`. */
  attribute: number;
  /** The document that shows this text. */
  document: number;
  text: string;
}

export interface UnitSource {
  /** Sections of one page have the same number. */
  page: number;
  documents: number[];
  blocks: Block[];
}

export interface UnitPlan {
  attributes: string[];
  units: UnitSource[];
}

type Hierarchy = NonNullable<IndexSettings["hierarchy"]>;

export function planUnits(documents: readonly SearchDocument[], settings: IndexSettings): UnitPlan {
  return settings.hierarchy
    ? planSections(documents, settings, settings.hierarchy)
    : planAlone(documents, settings);
}

function planAlone(documents: readonly SearchDocument[], settings: IndexSettings): UnitPlan {
  const paths = new Set<string>();
  for (const document of documents) leafPaths(document, paths);
  const rank = (path: string) => settings.searchableAttributes.findIndex((name) => coversPath([name], path));
  const attributes = [...paths].filter((path) => rank(path) >= 0).sort((a, b) => rank(a) - rank(b));
  const units = documents.map((document, id): UnitSource => {
    const blocks = attributes.flatMap((path, attribute) =>
      textsOf(valuesAt(document, path)).map((text) => ({
        field: Math.max(0, Math.min(rank(path), 255)),
        attribute,
        document: id,
        text,
      })),
    );
    return { page: id, documents: [id], blocks };
  });
  return { attributes, units };
}

function planSections(
  documents: readonly SearchDocument[],
  settings: IndexSettings,
  hierarchy: Hierarchy,
): UnitPlan {
  const own = [...hierarchy.levels, hierarchy.content];
  const { names } = hierarchy;
  const extra = settings.searchableAttributes.filter(
    (name) =>
      name !== names && !own.includes(name) && !name.endsWith("*") && !name.includes("hierarchy_radio"),
  );
  const attributes = [...new Set([...own, ...extra, hierarchy.url])];
  const urlAttribute = attributes.indexOf(hierarchy.url);
  const sections = new Map<string, UnitSource>();
  const pages = new Map<string, number>();
  // A page whose title is the part's name needs no help, and no other page may come before it.
  const parts = new Set(documents.map((document) => textAt(document, hierarchy.levels[1] ?? "")));
  const headed = new Set<UnitSource>();
  const titled = new Set<UnitSource>();
  documents.forEach((document, id) => {
    const address = textAt(document, hierarchy.url) ?? `\u0000${id}`;
    const known = sections.get(address);
    const section = known ?? startSection(document, id, hierarchy, { address, pages });
    if (!known) section.blocks.push(...addressBlocks(address, id, urlAttribute));
    if (!known) sections.set(address, section);
    if (!known && !address.includes("#")) nameAfterPart(section, parts);
    if (!known && !address.includes("#") && names) addNames(section, textsOf(valuesAt(document, names)), id);
    section.documents.push(id);
    if (addRecord(section, document, id, hierarchy) === "heading") headed.add(section);
    // A page is headed by its title even if the record with the title also has a text.
    if (!address.includes("#")) titled.add(section);
    extra.forEach((name, index) => {
      for (const text of textsOf(valuesAt(document, name))) {
        section.blocks.push({ field: Field.text, attribute: own.length + index, document: id, text });
      }
    });
  });
  const units = [...sections.values()];
  if (headed.size > 0)
    for (const section of units) if (!headed.has(section) && !titled.has(section)) lowerHeading(section);
  return { attributes, units };
}

/**
 * The first page of a part of the site also answers to the part's name: a reader who types "registry" means the page
 * that leads the section Registry, whatever its title is.
 */
function nameAfterPart(page: UnitSource, parts: Set<string | null>): void {
  const part = page.blocks.find((block) => block.field === Field.section);
  if (!part || parts.has(part.text)) return;
  parts.add(part.text);
  const title = page.blocks.findIndex((block) => block.field === Field.heading);
  page.blocks.splice(title + 1, 0, { ...part, field: Field.heading, attribute: 1 });
}

/** Adds other names, which count like the page's title. */
function addNames(page: UnitSource, names: readonly string[], document: number): void {
  const title = page.blocks.findIndex((block) => block.field === Field.heading);
  const blocks = names.map((text) => ({ field: Field.heading, attribute: 1, document, text }));
  page.blocks.splice(title + 1, 0, ...blocks);
}

/** Words of the address. In a section, the page's name is part of the path; an address need not be a URL. */
function addressBlocks(address: string, document: number, attribute: number): Block[] {
  if (address.startsWith("\u0000")) return [];
  const { name, path } = addressWords(address);
  const isPage = !address.includes("#");
  const texts = [
    { field: Field.path, text: isPage ? path : `${path} ${name}` },
    { field: Field.name, text: isPage ? name : "" },
  ];
  return texts.filter(({ text }) => text.trim() !== "").map((one) => ({ ...one, attribute, document }));
}

/** Between the cells of a row. */
const CELLS = "\t";

/**
 * An address inside a section, a row of a table, has that section's heading above it and none of its own; its first
 * cell names the thing that it defines.
 */
function lowerHeading(section: UnitSource): void {
  const row = section.blocks.find(({ field, text }) => field === Field.text && text.includes(CELLS));
  if (row)
    section.blocks.push({ ...row, field: Field.term, text: row.text.slice(0, row.text.indexOf(CELLS)) });
  for (const block of section.blocks) {
    if (block.field === Field.heading) block.field = block.attribute === 1 ? Field.page : Field.ancestor;
  }
}

/** Starts a section with its headings: its own, the page's, those in between, and the part of the site. */
function startSection(
  document: SearchDocument,
  id: number,
  hierarchy: Hierarchy,
  { address, pages }: { address: string; pages: Map<string, number> },
): UnitSource {
  const hash = address.indexOf("#");
  const pageAddress = hash < 0 ? address : address.slice(0, hash);
  if (!pages.has(pageAddress)) pages.set(pageAddress, pages.size);
  const levels = hierarchy.levels.map((level) => textAt(document, level));
  const deepest = hash < 0 ? 1 : levels.findLastIndex((text) => text !== null);
  const blocks: Block[] = [];
  levels.forEach((text, level) => {
    if (text === null || level > Math.max(deepest, 1)) return;
    const field = fieldOfLevel(level, deepest);
    blocks.push({ field, attribute: level, document: id, text });
  });
  blocks.sort((a, b) => a.field - b.field);
  return { page: pages.get(pageAddress)!, documents: [], blocks };
}

function fieldOfLevel(level: number, deepest: number): number {
  if (level === deepest) return Field.heading;
  if (level === 0) return Field.section;
  return level === 1 ? Field.page : Field.ancestor;
}

function addRecord(
  section: UnitSource,
  document: SearchDocument,
  id: number,
  hierarchy: Hierarchy,
): "text" | "heading" {
  const content = textAt(document, hierarchy.content);
  if (content !== null) {
    section.blocks.push({
      field: Field.text,
      attribute: hierarchy.levels.length,
      document: id,
      text: content,
    });
    return "text";
  }
  const level = hierarchy.levels.findLastIndex((name) => textAt(document, name) !== null);
  const text = level < 0 ? null : textAt(document, hierarchy.levels[level]!);
  if (text === null) return "text";
  const known = section.blocks.find((block) => block.attribute === level && block.text === text);
  // The heading's own record shows it, whichever record came first.
  if (known) known.document = id;
  // On a page whose headings have no addresses of their own.
  else section.blocks.push({ field: Field.ancestor, attribute: level, document: id, text });
  return "heading";
}

/** The text of an attribute; null where it is absent, which DocSearch writes as "null". */
function textAt(document: SearchDocument, path: string): string | null {
  const value = valuesAt(document, path)[0];
  return typeof value === "string" && value !== "null" && value !== "" ? value : null;
}

function textsOf(values: readonly Json[]): string[] {
  return values.flatMap((value) => {
    if (Array.isArray(value)) return textsOf(value);
    if (value === null || typeof value === "object") return [];
    const text = String(value);
    return text === "" ? [] : [text];
  });
}
