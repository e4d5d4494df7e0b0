import { Slugger } from "../page/slugger.ts";

/** Notes the ids of a page in the order in which they are given. */
export class NotingSlugger extends Slugger {
  readonly ids: string[] = [];

  override slug(text: string): string {
    const id = super.slug(text);
    this.ids.push(id);
    return id;
  }
}

/** Gives a translated page the ids of its original, in the same order: a link with an anchor works in both. */
export class GivenSlugger extends Slugger {
  readonly #ids: readonly string[];
  #count = 0;

  constructor(ids: readonly string[]) {
    super();
    this.#ids = ids;
  }

  override slug(text: string): string {
    return this.#ids[this.#count++] ?? super.slug(text);
  }

  override isFree(): boolean {
    return true;
  }

  /** Whether as many ids were asked for as the original has. */
  get isUsedUp(): boolean {
    return this.#count === this.#ids.length;
  }
}
