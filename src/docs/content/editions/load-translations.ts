/** `content/translations/<language>/docs/…mdx` → an edition for each language, from pages that are translated by section. */
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Components } from "../blocks/component.ts";
import type { Facts } from "../facts/facts.ts";
import type { Navigation } from "../navigation/navigation.ts";
import { compilePage, type CompileOptions } from "../page/compile-page.ts";
import { ProblemList } from "../problem.ts";
import { readYaml } from "../read-yaml.ts";
import type { ContentProblem, Heading, Page } from "../types.ts";
import { type Edition, moveNavigation, movePage } from "./edition.ts";
import { GivenSlugger, NotingSlugger } from "./english-ids.ts";
import { markEnglish } from "./mark-english.ts";
import { mergeTranslation } from "./merge-translation.ts";
import { readPageSource } from "./page-source.ts";
import { componentsOf, synonymsOf, translateLabels, wordOf, type Words, wordsSchema } from "./words.ts";

const TRANSLATIONS_FOLDER = "content/translations";

interface Loading {
  root: string;
  facts: Facts;
  components: Components;
  toCome: NonNullable<CompileOptions["toCome"]>;
  imageSize: NonNullable<CompileOptions["imageSize"]>;
  /** The English pages, with their sources. */
  pages: readonly Page[];
  sources: ReadonlyMap<string, string>;
  navigation: Navigation;
}

/** Mistakes in a translation are warnings: a build never fails for them, and the page or section is in English. */
export async function loadTranslations(
  loading: Loading,
): Promise<{ editions: Edition[]; problems: ContentProblem[] }> {
  const names = await readdir(join(loading.root, TRANSLATIONS_FOLDER)).catch(() => []);
  const languages = names.filter((name) => /^[a-z]{2,3}$/.test(name)).sort();
  const loaded = await Promise.all(languages.map((language) => loadLanguage(language, loading)));
  return {
    editions: loaded.flatMap(({ edition }) => (edition ? [edition] : [])),
    problems: loaded.flatMap(({ problems }) =>
      problems.map((one) => ({ ...one, severity: "warning" as const })),
    ),
  };
}

async function loadLanguage(
  language: string,
  loading: Loading,
): Promise<{ edition: Edition | null; problems: ContentProblem[] }> {
  const folder = `${TRANSLATIONS_FOLDER}/${language}`;
  const file = `${folder}/words.yaml`;
  const yaml = await readFile(join(loading.root, file), "utf8").catch(() => "");
  const { data: words, problems } = readYaml(file, yaml, wordsSchema, { rule: "translation" });
  if (!words) return { edition: null, problems };
  const names = await readdir(join(loading.root, folder, "docs"), { recursive: true }).catch(() => []);
  const files = names
    .map((name) => `docs/${name.replaceAll("\\", "/")}`)
    .filter((name) => name.endsWith(".mdx"));
  const pages: Page[] = [];
  for (const name of files.sort()) {
    const translated = await loadPage({ folder, name, language, words }, loading);
    problems.push(...translated.problems);
    if (translated.page) pages.push(translated.page);
  }
  const paths = new Set(pages.map(({ path }) => path));
  const moved = pages.map((page) => movePage(page, language, (path) => paths.has(path)));
  const navigation = moveNavigation(loading.navigation, language, moved);
  const edition = {
    id: language,
    language,
    version: null,
    words: words.words,
    synonyms: synonymsOf(words),
    missing: [],
  };
  return { edition: { ...edition, pages: moved, navigation }, problems };
}

interface Translation {
  /** `content/translations/de` */
  folder: string;
  /** Below it: `docs/index.mdx` */
  name: string;
  language: string;
  words: Words;
}

async function loadPage(
  { folder, name, language, words }: Translation,
  { root, facts, components, toCome, imageSize, pages, sources }: Loading,
): Promise<{ page: Page | null; problems: ContentProblem[] }> {
  const file = `${folder}/${name}`;
  const originalFile = `content/${name}`;
  const original = pages.find((page) => page.file === originalFile);
  const source = sources.get(originalFile);
  if (!original || source === undefined) {
    const problems = new ProblemList(file);
    problems.warn(
      1,
      "translation",
      `There is no page ${originalFile}.`,
      "Move the file to its page's name, or remove it.",
    );
    return { page: null, problems: problems.problems };
  }
  const merged = mergeTranslation(file, await readFile(join(root, file), "utf8"), {
    source,
    anchors: original.headings.filter(({ depth }) => depth === 2).map(({ id }) => id),
  });
  const noting = new NotingSlugger();
  const options = { facts, toCome, imageSize };
  await compilePage(originalFile, source, { ...options, components, slugger: noting });
  const slugger = new GivenSlugger(noting.ids);
  const withFacts = anchorsWithFacts(merged.source, original);
  const { page, problems } = await compilePage(originalFile, merged.source, {
    ...options,
    components: componentsOf(components, words),
    slugger,
    finish: (html) =>
      markEnglish(html, {
        english: merged.english,
        withFacts,
        language,
        explain: (state) => wordOf(words.words, EXPLANATIONS[state]),
      }),
  });
  const errors = problems.filter(({ severity }) => severity === "error").map((one) => ({ ...one, file }));
  const all = [...merged.problems, ...errors];
  if (!page || errors.length > 0 || !slugger.isUsedUp)
    return { page: null, problems: [...all, leftOut(file)] };
  const html = translateLabels(page.html, words.words);
  const headings = markHeadings(page.headings, merged.english);
  return {
    page: { ...page, file, html, headings, updated: original.updated, ran: original.ran },
    problems: all,
  };
}

/** Declares the language of headings in English sections. */
function markHeadings(headings: readonly Heading[], english: ReadonlyMap<string, unknown>): Heading[] {
  let isEnglish = english.has("");
  return headings.map((heading) => {
    if (heading.depth === 2) isEnglish = english.has(heading.id);
    return isEnglish ? { ...heading, lang: "en" } : heading;
  });
}

const EXPLANATIONS = {
  missing: "Not translated yet.",
  changed: "Shown in English: its text has changed since it was translated.",
};

/** Sections that have a table, but write none: it comes from the facts. */
function anchorsWithFacts(source: string, original: Page): Set<string> {
  const anchors = ["", ...original.headings.filter(({ depth }) => depth === 2).map(({ id }) => id)];
  return new Set(anchors.filter((_, at) => !/^\|/m.test(readPageSource(source).sections[at]?.body ?? "")));
}

function leftOut(file: string): ContentProblem {
  const message = "The page is left out: readers are sent to the English page.";
  return {
    file,
    line: 1,
    rule: "translation",
    severity: "warning",
    message,
    fix: "Correct its other problems.",
  };
}
