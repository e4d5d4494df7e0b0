import { LogLines } from "../log/log-lines.ts";
import { type Build, type BuildResult, type BuildStatus, endBuild, foldStatus } from "./build-model.ts";

export interface BuildSnapshot {
  build: Build;
  /** It grows in place: `version` changes with it. */
  log: LogLines;
  version: number;
}

/** One build in progress. Updates are shown at most once per frame. */
export class BuildStore {
  #snapshot: BuildSnapshot;
  #build: Build;
  readonly #log = new LogLines();
  readonly #listeners = new Set<() => void>();
  #frame = 0;

  constructor(build: Build) {
    this.#build = build;
    this.#snapshot = { build, log: this.#log, version: 0 };
  }

  read = (): BuildSnapshot => this.#snapshot;

  watch = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  apply(status: BuildStatus): void {
    this.#build = foldStatus(this.#build, status, this.#log);
    this.#show();
  }

  /** @param endedAt milliseconds since 1970 */
  end(result: Exclude<BuildResult, "running">, endedAt: number): void {
    this.#build = endBuild(this.#build, result, endedAt);
    this.#show();
  }

  /** Shows all updates without waiting for a frame. */
  flush(): void {
    cancelAnimationFrame(this.#frame);
    this.#frame = 0;
    this.#snapshot = { build: this.#build, log: this.#log, version: this.#log.version };
    for (const listener of this.#listeners) listener();
  }

  #show(): void {
    this.#frame ||= requestAnimationFrame(() => this.flush());
  }
}
