import type { ContentProblem, Page } from "../types.ts";

/** The sections of a guide, in this order; other sections may be between and before them. */
const GUIDE_SECTIONS = ["Before you begin", "Check", "Related"];

/** Words of a passage about undoing the guide's work. Its heading and form are up to the author. */
const undoing =
  /\b(?:undo|back|off|remov\w*|delet\w*|restor\w*|revert\w*|revok\w*|reset\w*|disabl\w*|uninstall\w*)\b/i;

/** A page must match the template of its type, and have enough words. */
export function checkTemplates(pages: readonly Page[]): ContentProblem[] {
  return pages.flatMap((page) =>
    [...checkType(page), ...checkLength(page)].map((finding) => {
      return { file: page.file, line: 1, severity: "error" as const, ...finding };
    }),
  );
}

type Finding = Pick<ContentProblem, "rule" | "message" | "fix">;

function checkType(page: Page): Finding[] {
  const has = (kind: string) => page.blocks.some((block) => block.kind === kind);
  const rule = "page-type";
  switch (page.type) {
    case "guide": {
      const titles = page.headings.filter(({ depth }) => depth === 2).map(({ text }) => text);
      const missing = GUIDE_SECTIONS.find((title) => !titles.includes(title));
      if (missing !== undefined) {
        const message = `A guide needs the sections ${GUIDE_SECTIONS.join(", ")}; "${missing}" is missing.`;
        return [{ rule, message, fix: `## ${missing}` }];
      }
      const places = GUIDE_SECTIONS.map((title) => titles.indexOf(title));
      const late = GUIDE_SECTIONS.find((_title, at) => at > 0 && (places[at] ?? 0) < (places[at - 1] ?? 0));
      if (late !== undefined) {
        const message = `"${late}" is too early: a guide has the sections ${GUIDE_SECTIONS.join(", ")} in this order.`;
        return [{ rule, message, fix: GUIDE_SECTIONS.map((title) => `## ${title}`).join("\n") }];
      }
      if ((places[1] ?? 0) <= (places[0] ?? 0) + 1) {
        const message = 'A guide needs a task between "Before you begin" and "Check".';
        return [{ rule, message, fix: "## Before you begin\n## <what to do>\n## Check" }];
      }
      if (saysHowToUndo(page)) return [];
      const message =
        'A guide must say how to undo its work, in a section after "Check" or at the end of "Check".';
      return [{ rule, message, fix: "## Go back to <what was there before>" }];
    }
    case "start":
      if (page.samples.some(({ language, code }) => language === "console" && hasOutput(code))) return [];
      return [
        {
          rule,
          message: "A start page must show the output that proves its result.",
          fix: "```console\n$ millrace …\noutput\n```",
        },
      ];
    case "explain":
      if (page.html.includes('class="steps"')) {
        const message = "An explanation cannot have steps: tasks belong in a guide.";
        return [{ rule, message, fix: "type: guide, or a list instead of <Steps>" }];
      }
      if (page.samples.some(({ language }) => language === "diagram")) return [];
      return [
        {
          rule,
          message: "An explanation needs a diagram.",
          fix: '```diagram caption="…"\nfrom -> to: label\n```',
        },
      ];
    case "reference":
      if (has("table") || page.headings.length >= 5) return [];
      return [{ rule, message: "A reference needs a table or many short sections.", fix: "| … | … |" }];
  }
}

/** Looks in the last section before "Related", or at the end of the check if that is the last section. */
function saysHowToUndo({ blocks }: Page): boolean {
  const starts = blocks.flatMap((block, at) => (block.kind === "heading" && block.depth === 2 ? [at] : []));
  const related = starts.findLast((at) => blocks[at]?.text === "Related") ?? blocks.length;
  const start = starts.findLast((at) => at < related) ?? 0;
  const passage = blocks.slice(start, related).filter(({ kind }) => kind !== "code");
  const own = blocks[start]?.text === "Check" ? passage.slice(1).slice(-2) : passage;
  return own.some(({ text }) => undoing.test(text));
}

/** Whether a line is neither a command nor the continuation of a command. */
function hasOutput(terminal: string): boolean {
  const lines = terminal.split("\n");
  return lines.some(
    (line, at) => !line.startsWith("$ ") && !lines[at - 1]?.endsWith("\\") && line.trim() !== "",
  );
}

const FEWEST_WORDS = 250;
const FEWEST_WORDS_OF_INDEX = 80;

/** Counts the page's own words: tables of facts are also on other pages, so they do not count. */
function checkLength(page: Page): Finding[] {
  const words = page.prose.reduce((sum, { text }) => sum + text.split(/\s+/).length, 0);
  const fewest = page.file.endsWith("/index.mdx") ? FEWEST_WORDS_OF_INDEX : FEWEST_WORDS;
  if (words >= fewest) return [];
  const message = `The page has ${words} words of its own outside code and facts; it needs at least ${fewest}.`;
  return [{ rule: "thin-page", message, fix: "Say what the reader needs, or merge the page into another." }];
}
