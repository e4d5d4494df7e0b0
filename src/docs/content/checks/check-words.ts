import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "yaml";
import * as z from "zod";
import type { ContentProblem, Page } from "../types.ts";

const termsSchema = z.array(
  z.strictObject({
    /** The word to use. */
    use: z.string().min(1),
    /** Other words for it. A word with a capital letter is matched as written. */
    not: z.array(z.string().min(1)).min(1),
    because: z.string().optional(),
  }),
);

export type Term = z.infer<typeof termsSchema>[number];

const LONGEST_SENTENCE = 30;
const BANNED_WORDS = /\b(simpl[ey]|eas(?:y|ily)|just|obviously)\b(?!-|\s+in\s+time)/i;

/** Reads `content/terms.yaml`. @throws if it is malformed */
export function loadTerms(root: string): Term[] {
  return termsSchema.parse(parse(readFileSync(join(root, "content/terms.yaml"), "utf8")));
}

/** Finds words that tell readers how to feel, and second names for the same thing. */
export function checkWords(pages: readonly Page[], terms: readonly Term[]): ContentProblem[] {
  const patterns = terms.flatMap(({ use, not, because }) =>
    not.map((word) => ({ use, because, pattern: wordPattern(word) })),
  );
  return pages.flatMap((page) =>
    textsOf(page).flatMap(({ text, line }): ContentProblem[] => {
      const report = (rule: string, message: string, fix: string): ContentProblem => {
        return { file: page.file, line, rule, severity: "error", message, fix };
      };
      const banned = BANNED_WORDS.exec(text);
      const found = banned
        ? [
            report(
              "banned-word",
              `"${banned[0]}" does not help readers who find it hard.`,
              without(text, banned.index, banned[0]),
            ),
          ]
        : [];
      for (const { use, because, pattern } of patterns) {
        const match = pattern.exec(text);
        if (!match) continue;
        const fix = around(text, match.index, match[0].length, use);
        found.push(report("term", `Write "${use}", not "${match[0]}".${because ? ` ${because}` : ""}`, fix));
      }
      return found;
    }),
  );
}

/** Finds sentences that are too long to understand in one reading. */
export function checkSentences(pages: readonly Page[]): ContentProblem[] {
  return pages.flatMap((page) =>
    page.prose.flatMap(({ text, line }) =>
      text.split(/(?<=[.!?:])\s+/).flatMap((sentence): ContentProblem[] => {
        const words = sentence.split(/\s+/).length;
        if (words <= LONGEST_SENTENCE) return [];
        const message = `The sentence has ${words} words; at most ${LONGEST_SENTENCE} are allowed.`;
        const fix = `Cut it: ${sentence.split(/\s+/).slice(0, 12).join(" ")} …`;
        return [{ file: page.file, line, rule: "long-sentence", severity: "warning", message, fix }];
      }),
    ),
  );
}

function textsOf(page: Page): { text: string; line: number }[] {
  const head = [page.title, page.navTitle, page.description].map((text) => ({ text, line: 2 }));
  return [...head, ...page.prose];
}

function wordPattern(word: string): RegExp {
  const escaped = word.replace(/[.*+?^${}()|[\]\\]/g, "\\$&").replace(/\s+/g, "[\\s-]+");
  return new RegExp(`(?<![\\w./-])${escaped}(?![\\w-]|\\.\\w)`, /[A-Z]/.test(word) ? "" : "i");
}

function without(text: string, index: number, word: string): string {
  return around(text, index, word.length, "").replace(/\s+/g, " ").trim();
}

/** The surrounding words, with the replacement in place. */
function around(text: string, index: number, length: number, replacement: string): string {
  const before = text.slice(Math.max(0, index - 40), index).replace(/^\S*\s/, index > 40 ? "… " : "$&");
  const after = text.slice(index + length, index + length + 40);
  return `${before}${replacement}${after}${index + length + 40 < text.length ? " …" : ""}`;
}
