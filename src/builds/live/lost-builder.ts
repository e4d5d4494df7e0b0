/** What a build knows of builders that have ended while it ran. */
import type { BuilderPlace } from "../machine/machine.ts";

/** For the machine, or the cluster, to notice that a builder has ended. */
const LOST_MS = 3000;

export class LostBuilder {
  readonly #ends: Promise<string>[] = [];
  #isLost = false;
  #reason = "";

  /** @param onEnded with what it said last */
  watch({ ended, isReason }: BuilderPlace, onEnded: (said: string) => void): void {
    this.#ends.push(ended);
    void ended.then((said) => {
      this.#isLost = true;
      // The first one is why the others have ended as well.
      if (isReason && this.#reason === "") this.#reason = said.replace(/\.$/, "");
      onEnded(said);
    });
  }

  get isLost(): boolean {
    return this.#isLost;
  }

  /** A client may be quicker to tell than the machine. */
  async wait(): Promise<boolean> {
    let timer: NodeJS.Timeout | undefined;
    const over = new Promise((resolve) => (timer = setTimeout(resolve, LOST_MS)));
    if (!this.#isLost) await Promise.race([over, ...this.#ends]);
    clearTimeout(timer);
    return this.#isLost;
  }

  /** For its record. */
  get error(): string {
    const reason = this.#reason === "" ? "" : `: ${this.#reason}`;
    return `The builder ended while the build ran${reason}. Run it again: finished steps are in the layer cache.`;
  }
}
