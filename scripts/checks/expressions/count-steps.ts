/**
 * Counts the steps of a backtracking matcher; the engine itself reveals only how long it took. The matcher tries alternatives in
 * the order that the language defines and restarts at each position of the text, like a search.
 */
import { createRequire } from "node:module";

// The package has no named exports that an import statement could use.
const { parse } = createRequire(import.meta.url)("regjsparser") as typeof import("regjsparser");

/** A node of regjsparser's tree: its type, its source text, and the fields that its type uses. */
interface Node {
  type: string;
  raw: string;
  body?: Node[];
  behavior?: string;
  kind?: string;
  min?: number;
  max?: number;
  greedy?: boolean;
}

export interface StepCounter {
  /** Steps that a search takes when `text` has no match, so that every position is tried. */
  count: (text: string) => number;
  /** A text with one character for each leaf of the expression, in order. */
  sample: string;
  hasLookaround: boolean;
}

/** Counting stops here: the text is expensive enough. */
export const MAX_STEPS = 100_000;

class TooManySteps extends Error {}

/** Matches from a place of the text and calls `then` with the match's end; false: try the next alternative. */
type Matcher = (place: number, then: (place: number) => boolean) => boolean;

/** @throws Error for syntax that the parser does not know, and for lookbehinds that repeat something */
export function createStepCounter(source: string, flags: string): StepCounter {
  const tree: unknown = parse(source, flags.replace(/[dgy]/g, ""), {
    namedGroups: true,
    lookbehind: true,
    unicodePropertyEscape: true,
    unicodeSet: true,
    modifiers: true,
  });
  // The package types every kind of node separately; `Node` has the fields used here.
  const expression = new Expression(tree as Node, flags);
  return {
    hasLookaround: expression.hasLookaround,
    sample: expression.leaves.join(""),
    count: (text) => expression.countSteps(text),
  };
}

/** An expression as nested matchers, which share the text and the number of steps. */
class Expression {
  hasLookaround = false;
  /** A matching character for each leaf. */
  readonly leaves: string[] = [];
  readonly #flags: string;
  readonly #match: Matcher;
  #text = "";
  #steps = 0;

  constructor(tree: Node, flags: string) {
    this.#flags = flags;
    this.#match = this.#build(tree);
  }

  countSteps(text: string): number {
    [this.#text, this.#steps] = [text, 0];
    try {
      for (let start = 0; start <= text.length;) {
        let end = start;
        const isFound = this.#match(start, (place) => {
          end = place;
          return true;
        });
        // All matches, as with the flag `g`: matched text is not searched again.
        start = isFound && end > start ? end : start + 1;
      }
    } catch (error) {
      if (!(error instanceof TooManySteps)) throw error;
    }
    return this.#steps;
  }

  #step(): void {
    this.#steps += 1;
    if (this.#steps > MAX_STEPS) throw new TooManySteps();
  }

  #build(node: Node): Matcher {
    const body = node.body ?? [];
    switch (node.type) {
      case "disjunction": {
        const options = body.map((option) => this.#build(option));
        return (place, then) => options.some((option) => option(place, then));
      }
      case "alternative":
        return this.#sequence(body);
      case "group":
        return /look/i.test(node.behavior ?? "") ? this.#lookaround(node, body) : this.#sequence(body);
      case "quantifier":
        return this.#quantifier(node, this.#build(body[0] ?? { type: "empty", raw: "" }));
      case "anchor":
        return this.#anchor(node);
      case "empty":
      case "reference":
        return (place, then) => then(place);
      default:
        return this.#leaf(node);
    }
  }

  #leaf(node: Node): Matcher {
    const pattern = new RegExp(`^(?:${node.raw})$`, this.#flags.replace(/[dgym]/g, ""));
    this.leaves.push(sampleOf(pattern, this.leaves.at(-1)));
    const known = new Map<string, boolean>();
    return (place, then) => {
      this.#step();
      if (place >= this.#text.length) return false;
      const character = this.#text[place] ?? "";
      let fits = known.get(character);
      if (fits === undefined) known.set(character, (fits = pattern.test(character)));
      return fits && then(place + 1);
    };
  }

  #sequence(nodes: readonly Node[]): Matcher {
    const parts = nodes.map((node) => this.#build(node));
    const from =
      (index: number): Matcher =>
      (place, then) => {
        const part = parts[index];
        return part ? part(place, (next) => from(index + 1)(next, then)) : then(place);
      };
    return from(0);
  }

  #lookaround({ behavior = "" }: Node, body: readonly Node[]): Matcher {
    this.hasLookaround = true;
    const inner = this.#sequence(body);
    const isNegative = /negative/i.test(behavior);
    // Read forwards here, which is equivalent unless it has a repetition.
    if (/behind/i.test(behavior) && body.some(hasRepetition))
      throw new Error("a lookbehind with a repetition");
    return (place, then) => inner(place, () => true) !== isNegative && then(place);
  }

  #quantifier({ min = 0, max = Infinity, greedy = true }: Node, part: Matcher): Matcher {
    const more =
      (times: number): Matcher =>
      (place, then) => {
        this.#step();
        const again = () =>
          times < max && part(place, (next) => (next > place || times < min) && more(times + 1)(next, then));
        if (times < min) return again();
        return greedy ? again() || then(place) : then(place) || again();
      };
    return more(0);
  }

  #anchor({ kind }: Node): Matcher {
    const isMultiline = this.#flags.includes("m");
    return (place, then) => {
      this.#step();
      const [before, after] = [this.#text[place - 1], this.#text[place]];
      const isEdge = /\w/.test(before ?? "") !== /\w/.test(after ?? "");
      const holds =
        kind === "start"
          ? before === undefined || (isMultiline && before === "\n")
          : kind === "end"
            ? after === undefined || (isMultiline && after === "\n")
            : isEdge === (kind === "boundary");
      return holds && then(place);
    };
  }
}

function hasRepetition({ type, body = [] }: Node): boolean {
  return type === "quantifier" || (Array.isArray(body) && body.some(hasRepetition));
}

/**
 * Prefers the character before it: where two neighbours accept the same characters, the text can be split between them in
 * many ways.
 */
function sampleOf(pattern: RegExp, before: string | undefined): string {
  const candidates = [before ?? "a", ..." a0/-_.:;,\"'=<>(){}[]\n\\#?%@$é", ...printable];
  return candidates.find((character) => pattern.test(character)) ?? "";
}

const printable = Array.from({ length: 95 }, (_, index) => String.fromCharCode(32 + index));
