/** Replaces what must not be readable in a build's records with `***`. */
import { MAX_SECRETS, MAX_SECRETS_LENGTH } from "../contract/limits.ts";
import { formsOf } from "./forms-of.ts";
import { Patterns, type Span } from "./patterns.ts";
import { ProjectSecrets } from "./project-secrets.ts";

export const MASKED = "***";
/** This service's own tokens, whoever gave them to a step. */
const OUR_TOKENS = /\bmr_(?:user|org|prj|job)_[\w-]{8,}/g;
const KIND = /^mr_[a-z]+_/;

export class Masker {
  readonly #buildId: string;
  readonly #mounted: ProjectSecrets;
  /** Values of build arguments. */
  readonly #said = new Set<string>();
  #saidLines = 0;
  #saidLength = 0;
  readonly #patterns = new Patterns();

  /** @param mounted secrets of the build's project */
  constructor(buildId = "", mounted = new ProjectSecrets()) {
    this.#buildId = buildId;
    this.#mounted = mounted;
  }

  /**
   * Masks these values from now on.
   * @param values of build arguments that look like secrets
   * @throws Error when there are too many; then none of them is masked
   */
  addArguments(values: Iterable<string>): void {
    const fresh = new Set([...values].filter((value) => !this.#said.has(value)));
    let [lines, length] = [this.#saidLines, this.#saidLength];
    for (const value of fresh) {
      lines += value.split(/[\r\n]+/).length;
      length += value.length;
    }
    if (lines > MAX_SECRETS || length > MAX_SECRETS_LENGTH)
      throw new Error(
        `A build masks at most ${MAX_SECRETS} lines and ${MAX_SECRETS_LENGTH / 1024} KB of build arguments that look like secrets. Pass secrets with --secret.`,
      );
    [this.#saidLines, this.#saidLength] = [lines, length];
    for (const value of fresh) {
      this.#said.add(value);
      for (const form of formsOf(Buffer.from(value))) this.#patterns.add(form);
    }
  }

  /** @param value of a secret that a step mounts. @throws Error when there are too many */
  addMounted(value: Uint8Array): void {
    this.#mounted.add(this.#buildId, value);
  }

  /** Whether the build has shown secrets, or may have been shown those of another build. */
  get hasSecrets(): boolean {
    return this.#said.size > 0 || this.#mounted.patterns.size > 0;
  }

  /**
   * Well-formed Unicode if anything is masked.
   * @param shown number of characters to keep; the characters after them decide whether their end is masked
   */
  mask(text: string, shown = text.length): string {
    const spans = this.#find(text);
    if (spans.length === 0) return text.slice(0, shown);
    let masked = "";
    let at = 0;
    for (const [from, to] of spans) {
      if (from >= shown) break;
      masked += text.slice(at, from) + MASKED;
      at = to;
    }
    return (masked + text.slice(at, Math.max(at, shown))).toWellFormed();
  }

  #find(text: string): Span[] {
    const all = [...this.#patterns.find(text), ...this.#mounted.patterns.find(text), ...findTokens(text)];
    return all.length < 2 ? all : join(all);
  }
}

function findTokens(text: string): Span[] {
  if (!text.includes("mr_")) return [];
  return [...text.matchAll(OUR_TOKENS)].map(({ 0: token, index }): Span => {
    const kind = KIND.exec(token)?.[0].length ?? 0;
    return [index + kind, index + token.length];
  });
}

/** Several spans may overlap. */
function join(spans: readonly Span[]): Span[] {
  const joined: [number, number][] = [];
  for (const [from, to] of spans.toSorted(([one], [other]) => one - other)) {
    const last = joined.at(-1);
    if (last && from <= last[1]) last[1] = Math.max(last[1], to);
    else joined.push([from, to]);
  }
  return joined;
}
