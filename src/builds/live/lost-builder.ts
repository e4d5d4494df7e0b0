/** Builders that ended while their build ran. */
import type { BuilderPlace } from "../machine/machine.ts";

/** How long the machine or the cluster may take to notice the end of a builder. */
const LOST_MS = 3000;

export class LostBuilder {
  readonly #ends: Promise<string>[] = [];
  #isLost = false;
  #reason = "";

  /** @param onEnded called with its last output */
  watch({ ended, isReason }: BuilderPlace, onEnded: (said: string) => void): void {
    this.#ends.push(ended);
    void ended.then((said) => {
      this.#isLost = true;
      // The first end is why the other builders ended as well.
      if (isReason && this.#reason === "") this.#reason = said.replace(/\.$/, "");
      onEnded(said);
    });
  }

  get isLost(): boolean {
    return this.#isLost;
  }

  /** A client may report the end before the machine does. */
  async wait(): Promise<boolean> {
    let timer: NodeJS.Timeout | undefined;
    const over = new Promise((resolve) => (timer = setTimeout(resolve, LOST_MS)));
    if (!this.#isLost) await Promise.race([over, ...this.#ends]);
    clearTimeout(timer);
    return this.#isLost;
  }

  /** For the record of the build. */
  get error(): string {
    const reason = this.#reason === "" ? "" : `: ${this.#reason}`;
    return `The builder ended while the build ran${reason}. Run it again: finished steps are in the layer cache.`;
  }
}
