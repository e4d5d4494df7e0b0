import GithubSlugger from "github-slugger";
import { restorePlaceholders } from "./placeholders.ts";

/** Ids of one page, in GitHub's form. */
export class Slugger {
  readonly #slugger = new GithubSlugger();

  /** @returns an id that the page does not have yet */
  slug(text: string): string {
    return this.#slugger.slug(restorePlaceholders(text)) || this.#slugger.slug("section");
  }

  /** False if the next `slug` of this text would need a number. */
  isFree(text: string): boolean {
    return !Object.hasOwn(this.#slugger.occurrences, new GithubSlugger().slug(restorePlaceholders(text)));
  }
}
