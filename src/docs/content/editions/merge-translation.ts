/** One page from two sources: each section in the translation, or in English where the translation lacks or lags behind it. */
import { didYouMean, ProblemList } from "../problem.ts";
import type { ContentProblem } from "../types.ts";
import { hashSection, readPageSource, shapeOf, shareCode, type SourceSection } from "./page-source.ts";

/** Why a section is shown in English. */
export type Untranslated = "missing" | "changed";

export interface Merged {
  /** The page's source, ready to be compiled. */
  source: string;
  /** Anchor ("" before the first heading) → why it is in English. Sections that are translated are not in it. */
  english: ReadonlyMap<string, Untranslated>;
  problems: ContentProblem[];
}

interface Original {
  source: string;
  /** Anchors of its `##` headings, in order. */
  anchors: readonly string[];
}

/** `## Bauen [#build-an-image 7c1e9a2b]`: the anchor of the English section, and the hash of the text that was translated. */
const HEADING = /^(.*?)\s*\[#([a-z0-9-]+)(?:\s+([\w-]+))?\]$/;
const SOURCE_LINE = /^source:\s*["']?([\w-]+)["']?\s*$/m;
const TRANSLATED_FIELDS = /^(?:title|navTitle|description|keywords):/;

/** @param file the translation's, for messages */
export function mergeTranslation(file: string, translation: string, original: Original): Merged {
  const english = readPageSource(original.source);
  const own = readPageSource(translation);
  const problems = new ProblemList(file);
  const given = readTranslated(own.sections, original.anchors, problems);
  given.set("", { ...own.sections[0]!, hash: SOURCE_LINE.exec(own.frontMatter)?.[1] ?? "" });
  const untranslated = new Map<string, Untranslated>();
  const sections = english.sections.map((section, at) => {
    const anchor = at === 0 ? "" : (original.anchors[at - 1] ?? "");
    const found = translated(section, given.get(anchor));
    if (typeof found === "object") return found;
    const { state, message } = EXPLAINED[found];
    untranslated.set(anchor, state);
    const hash = hashSection(section);
    const fix = anchor === "" ? `source: ${hash}` : `## … [#${anchor} ${hash}]`;
    problems.warn(1, "translation", `${anchor === "" ? "The beginning" : `#${anchor}`} ${message}`, fix);
    return section;
  });
  return {
    source: `---\n${mergeFrontMatter(english.frontMatter, own.frontMatter)}\n---\n${sections.map(write).join("")}`,
    english: untranslated,
    problems: problems.problems,
  };
}

type Translated = SourceSection & { hash: string };

/** The sections below headings, by anchor. */
function readTranslated(
  sections: readonly SourceSection[],
  anchors: readonly string[],
  problems: ProblemList,
): Map<string, Translated> {
  const given = new Map<string, Translated>();
  for (const { heading, body } of sections.slice(1)) {
    const [, text = "", anchor = "", hash = ""] = HEADING.exec(heading) ?? [];
    if (anchors.includes(anchor)) given.set(anchor, { heading: text, body, hash });
    else
      problems.warn(
        1,
        "translation",
        `"## ${heading}" belongs to no section of the English page.${didYouMean(anchor, anchors)}`,
        `## ${heading.replace(/\s*\[.*$/, "")} [#${anchors[0] ?? "anchor"}]`,
      );
  }
  return given;
}

const EXPLAINED = {
  missing: { state: "missing", message: "is not translated." },
  changed: { state: "changed", message: "has changed in English since it was translated." },
  shape: {
    state: "changed",
    message: "has other headings, components, rows or code blocks than the English section.",
  },
} as const satisfies Record<string, { state: Untranslated; message: string }>;

function translated(
  original: SourceSection,
  given: Translated | undefined,
): SourceSection | keyof typeof EXPLAINED {
  if (!given) return "missing";
  if (given.hash !== hashSection(original)) return "changed";
  const body = shareCode(original.body, given.body);
  if (body === null || shapeOf(body) !== shapeOf(original.body)) return "shape";
  return { heading: given.heading, body };
}

const write = ({ heading, body }: SourceSection) => (heading === "" ? body : `## ${heading}\n${body}`);

/** Title, description and keywords are the translation's; questions are in English and stay out. */
function mergeFrontMatter(english: string, own: string): string {
  const fields = (yaml: string) => yaml.split(/\n(?=[a-zA-Z]+:)/);
  const kept = fields(english).filter(
    (field) => !TRANSLATED_FIELDS.test(field) && !field.startsWith("questions:"),
  );
  return [...fields(own).filter((field) => TRANSLATED_FIELDS.test(field)), ...kept].join("\n");
}
