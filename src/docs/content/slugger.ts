import GithubSlugger from "github-slugger";
import { restorePlaceholders } from "./placeholders.ts";

/** Ids of one page, as GitHub makes them. */
export class Slugger {
  readonly #slugger = new GithubSlugger();

  /** An id that the page does not have yet. */
  slug(text: string): string {
    return this.#slugger.slug(restorePlaceholders(text)) || this.#slugger.slug("section");
  }

  /** False when a second `slug` of this text would need a number. */
  isFree(text: string): boolean {
    return !Object.hasOwn(this.#slugger.occurrences, new GithubSlugger().slug(restorePlaceholders(text)));
  }
}
