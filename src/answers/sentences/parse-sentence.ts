/** Separates a sentence from its citations, and leaves plain text with inline code. */

export interface ParsedSentence {
  text: string;
  /** Numbers of passages, without repetition, as the model wrote them. */
  citations: number[];
}

const CODE = /(`[^`]*`)/;
const CITATION = /\s*\[(\d{1,3}(?:\s*,\s*\d{1,3})*)\]/g;
/** Invisible and control characters; some change the direction of the text around them. */
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Co}\p{Cs}]/gu;
const LIST_MARK = /^(?:[-*•–]\s+|#{1,6}\s+|>\s*|\d{1,2}[.)]\s+)+/;

export function parseSentence(sentence: string): ParsedSentence {
  const citations = new Set<number>();
  const parts = sentence.replaceAll(/\s/g, " ").replaceAll(INVISIBLE, "").split(CODE);
  const text = parts
    .map((part, at) => (at % 2 === 1 ? part : readProse(part, citations)))
    .join("")
    .replace(LIST_MARK, "")
    .replaceAll(/ {2,}/g, " ")
    .trim();
  return { text: /[\p{L}\p{N}`]$/u.test(text) ? `${text}.` : text, citations: [...citations] };
}

function readProse(part: string, citations: Set<number>): string {
  return part
    .replaceAll(CITATION, (_, numbers: string) => {
      for (const number of numbers.split(",")) citations.add(Number(number));
      return "";
    })
    .replaceAll("**", "")
    .replaceAll(/([.!?])\1+/g, "$1");
}
