/**
 * The secrets that the builds of one project mount, while any of them runs. All builds share them: two builds with the same step at
 * the same time share one run of it, which requests the secrets from one of them and shows its output to both. Values are only held
 * in memory.
 */
import { MAX_MOUNTED_LENGTH, MAX_MOUNTED_PATTERNS } from "../contract/limits.ts";
import { formsOf } from "./forms-of.ts";
import { Patterns } from "./patterns.ts";

export class ProjectSecrets {
  /** By value, the most recently requested last. */
  readonly #known = new Map<string, Set<string>>();
  readonly #builds = new Set<string>();
  #length = 0;
  #patterns = new Patterns();

  get patterns(): Patterns {
    return this.#patterns;
  }

  begin(buildId: string): void {
    this.#builds.add(buildId);
  }

  /** @returns whether it was the last build, after which all values are forgotten */
  end(buildId: string): boolean {
    this.#builds.delete(buildId);
    if (this.#builds.size > 0) return false;
    this.#known.clear();
    this.#patterns = new Patterns();
    this.#length = 0;
    return true;
  }

  /**
   * @param value as a client sends it to its builder
   * @throws Error when it is too much to be searched for
   */
  add(buildId: string, value: Uint8Array): void {
    const key = Buffer.from(value).toString("latin1");
    const owners = this.#known.get(key) ?? new Set();
    if (owners.size === 0) this.#take(key, value);
    this.#known.delete(key);
    this.#known.set(key, owners.add(buildId));
  }

  #take(key: string, value: Uint8Array): void {
    const forms = formsOf(value);
    this.#addAll(forms);
    this.#length += key.length;
    if (this.#isFull()) this.#forgetEnded(forms);
    if (!this.#isFull()) return;
    this.#length -= key.length;
    this.#rebuild();
    throw new Error(
      `The builds of a project can mount at most ${MAX_MOUNTED_LENGTH / 1024 / 1024} MB of secrets at a time: more cannot be masked in logs. Mount fewer, or run the builds one after another.`,
    );
  }

  #isFull(): boolean {
    return this.#length > MAX_MOUNTED_LENGTH || this.#patterns.size > MAX_MOUNTED_PATTERNS;
  }

  /** Forgets values of builds that have ended. They were kept because a step that one build began may still run for another. */
  #forgetEnded(added: Iterable<string>): void {
    for (const [key, owners] of this.#known)
      if (![...owners].some((owner) => this.#builds.has(owner))) {
        this.#known.delete(key);
        this.#length -= key.length;
      }
    this.#rebuild();
    this.#addAll(added);
  }

  #rebuild(): void {
    this.#patterns = new Patterns();
    for (const key of this.#known.keys()) this.#addAll(formsOf(Buffer.from(key, "latin1")));
  }

  #addAll(forms: Iterable<string>): void {
    for (const form of forms) this.#patterns.add(form);
  }
}
