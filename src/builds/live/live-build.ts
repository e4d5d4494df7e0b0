/**
 * A build that this server runs: its builders, its clients' actions, and its end, which happens once.
 *
 *   begin ──► openBuilder for each platform ──► solves are recorded ──► end: finish, cancel, time over, client gone
 */
import type { EventAuthor } from "#accounts/index.ts";
import { createSeenFiles } from "../context/seen-files.ts";
import type { BuilderPlace, TurnOptions } from "../machine/machine.ts";
import { Masker } from "../masking/masker.ts";
import { CLIENT_GONE_MS, MAX_FRONTENDS, MAX_REFS, SETTLE_MS } from "../contract/limits.ts";
import type { ProxyBuild } from "../proxy/proxy-build.ts";
import type { SolveSummary } from "../proxy/solve-rules.ts";
import type { Ending } from "../records/end-build.ts";
import { type Claim, judgeSolves } from "../records/judge-solves.ts";
import type { BuildRow } from "../records/read-build.ts";
import { readInputs, type SolveInputs } from "../records/read-inputs.ts";
import type { Recorder, Solved } from "../records/recorder.ts";
import { type Asked, writeInputs } from "../records/write-inputs.ts";
import { forgetEnded } from "./forget-left.ts";
import type { LiveOptions } from "./live-options.ts";
import { GONE, tooLarge, tooLong, UNREAD } from "./live-words.ts";
import { LostBuilder } from "./lost-builder.ts";
import { openRecorder } from "./open-recorder.ts";
import { writeEnd } from "./write-end.ts";

export class LiveBuild {
  readonly row: BuildRow;
  readonly #options: LiveOptions;
  readonly #masker: Masker;
  readonly #recorder: Promise<Recorder>;
  readonly #places = new Map<string, Promise<BuilderPlace>>();
  readonly #opened = new Map<string, BuilderPlace>();
  readonly #connections = new Map<string, number>();
  readonly #seen = createSeenFiles();
  /** By platform: each builder needs the context for itself. */
  readonly #received = new Map<string, number>();
  #refs = 0;
  #kept = 0;
  #frontends = 0;
  #tooMuch = "";
  #goneTimer: NodeJS.Timeout | undefined;
  #timeout: NodeJS.Timeout | undefined;
  #ending: Promise<void> | null = null;
  readonly #over = new AbortController();
  readonly #lost = new LostBuilder();

  constructor(options: LiveOptions) {
    this.#options = options;
    this.row = options.row;
    this.#masker = new Masker(options.row.id, options.mounted);
    this.#recorder = openRecorder(options, this.#masker);
    // Callers that await it get the error.
    this.#recorder.catch(() => {});
  }

  get platforms(): string[] {
    return [...this.#opened.keys()];
  }

  /** No builder is open or being opened, and the build is not ending: another server may take it. */
  get isIdle(): boolean {
    return this.#places.size === 0 && !this.#over.signal.aborted;
  }

  /** Waits until a builder is open, or none is being opened any more. */
  async settlePlaces(): Promise<void> {
    while (this.#places.size > 0 && this.#opened.size === 0)
      await Promise.race([...this.#places.values()].map((opening) => Promise.allSettled([opening])));
  }

  /** Starts or finds the builder of a platform, once. @throws Error with what to do */
  async openBuilder(platform: string, turn: TurnOptions = {}): Promise<void> {
    const opening = this.#places.get(platform) ?? this.#open(platform, turn);
    this.#places.set(platform, opening);
    try {
      await opening;
    } catch (error) {
      this.#places.delete(platform);
      throw error;
    }
  }

  /** Releases its builder after another server has taken the build. */
  giveBack(platform: string): void {
    this.#opened.get(platform)?.release();
    this.#opened.delete(platform);
    this.#places.delete(platform);
  }

  /** Starts the build's timeout. */
  begin(): void {
    const { timeoutMs } = this.#options;
    this.#timeout ??= setTimeout(() => void this.cancel(tooLong(timeoutMs)), timeoutMs).unref();
    this.#watchClient();
  }

  /** For the proxy; null once the build is ending. */
  find(platform: string): ProxyBuild | null {
    const place = this.#opened.get(platform);
    if (!place || this.#over.signal.aborted) return null;
    return {
      organizationId: this.row.organization_id,
      socket: place.socket,
      rules: { entitlements: this.#options.entitlements, mayPush: true },
      onSolve: (solve) => this.#solve(platform, place, solve),
      onFrontend: (frontend, attributes) => this.#frontend(frontend, attributes),
      onConnections: (open) => {
        this.#connections.set(platform, open);
        this.#watchClient();
      },
      onReceived: (bytes) => this.#receive(platform, bytes),
      onRefused: (reason) => void (this.#tooMuch ||= reason),
      seen: this.#seen,
      onSecret: (value) => this.#masker.addMounted(value),
      onUnread: () => void this.#recorder.then((recorder) => recorder.warn(UNREAD)),
    };
  }

  /** Ends the build as its client reports; where `buildkitd` says otherwise, that counts. */
  finish(claim: Claim): Promise<void> {
    return this.#end(async (recorder) => {
      const solved = await recorder.settle(SETTLE_MS);
      // When its builder ends, a client knows only that it was cut off.
      const isUnknown = !claim.succeeded && solved.length < this.#refs && this.#tooMuch === "";
      if (isUnknown && (await this.#lost.wait())) return { state: "failed", error: this.#lost.error };
      const stepError = recorder.steps.find(({ state }) => state === "failed")?.error ?? "";
      const ending = judgeSolves(solved, { ...claim, stepError }, this.#options.registryHost);
      return this.#tooMuch === "" ? ending : { ...ending, state: "failed", error: this.#tooMuch };
    });
  }

  cancel(error: string, by?: EventAuthor): Promise<void> {
    if (this.#lost.isLost && !by)
      return this.finish({ succeeded: false, error: this.#lost.error, digest: "" });
    return this.#end(async (recorder) => {
      this.#cut(error);
      await recorder.settle(SETTLE_MS);
      return { state: "canceled", error, ...(by && { by }) };
    });
  }

  async #open(platform: string, { signal, mayWait }: TurnOptions): Promise<BuilderPlace> {
    const { builders, want, counts, clock } = this.#options;
    let begun = clock();
    const onTurn = () => {
      counts.waitedForTurn(clock() - begun);
      begun = clock();
    };
    const over = AbortSignal.any([this.#over.signal, signal ?? []].flat());
    const turn = { buildId: this.row.id, signal: over, mayWait, onTurn };
    const place = await builders.open({ ...want, platform }, turn);
    if (place.isNew) counts.builderStarted(clock() - begun);
    if (over.aborted) place.release();
    over.throwIfAborted();
    this.#opened.set(platform, place);
    this.#lost.watch(place, (said) => {
      if (this.#ending || this.#opened.get(platform) !== place) return;
      this.#options.log.warn("A builder ended during a build.", { build: this.row.id, platform, said });
    });
    return place;
  }

  /** The solve continues only after this is written. */
  async #solve(platform: string, { socket }: BuilderPlace, solve: SolveSummary): Promise<void> {
    if (this.#refs >= MAX_REFS) throw new Error(`A build can have at most ${MAX_REFS} solves.`);
    this.#refs += 1;
    const { ref, frontend, attributes } = solve;
    await this.#note(readInputs(frontend, attributes), { platform, ref });
    if (!solve.isInternal) this.#kept += 1;
    const recorder = await this.#recorder;
    recorder.follow({ platform, ref, socket, isKept: !solve.isInternal });
  }

  /** As for a solve: stock clients only say here what they build. */
  async #frontend(frontend: string, attributes: Readonly<Record<string, string>>): Promise<void> {
    if (this.#frontends >= MAX_FRONTENDS)
      throw new Error(`A build can call its frontends at most ${MAX_FRONTENDS} times.`);
    this.#frontends += 1;
    await this.#note(readInputs(frontend, attributes));
  }

  /** Secrets are masked from here on. */
  async #note(said: SolveInputs, solve?: Asked["solve"]): Promise<void> {
    this.#masker.addArguments(said.secrets);
    await writeInputs(this.#options, this.row, { said, platforms: this.platforms, ...(solve && { solve }) });
  }

  #receive(platform: string, bytes: number): void {
    const received = (this.#received.get(platform) ?? 0) + bytes;
    this.#received.set(platform, received);
    this.#options.counts.received(bytes);
    if (received <= this.#options.contextBytes) return;
    throw new Error(tooLarge(this.#options.contextBytes));
  }

  #watchClient(): void {
    clearTimeout(this.#goneTimer);
    if (this.#ending || [...this.#connections.values()].some((open) => open > 0)) return;
    this.#goneTimer = setTimeout(() => void this.#endGone(), CLIENT_GONE_MS).unref();
  }

  /** A client that waits for the builder of another platform connects once it has all of them. */
  async #endGone(): Promise<void> {
    const isWaiting = await this.#options.places.isWaiting(this.row.id).catch(() => true);
    if (isWaiting) this.#watchClient();
    else await this.cancel(GONE);
  }

  #cut(reason: string): void {
    this.#over.abort(new Error("The build has ended."));
    this.#options.cut(this.row.id, reason);
  }

  /** Runs once; the first call decides. */
  #end(decide: (recorder: Recorder) => Promise<Ending>): Promise<void> {
    clearTimeout(this.#timeout);
    clearTimeout(this.#goneTimer);
    this.#ending ??= this.#endOnce(decide).catch((error: unknown) =>
      this.#options.log.error("Could not end a build. Retrying later.", {
        build: this.row.id,
        error,
      }),
    );
    return this.#ending;
  }

  async #endOnce(decide: (recorder: Recorder) => Promise<Ending>): Promise<void> {
    let state: Ending["state"] = "canceled";
    let solved: readonly Solved[] = [];
    try {
      const recorder = await this.#recorder;
      const ending = await decide(recorder);
      ({ state } = ending);
      ({ solved } = recorder);
      this.#cut(ending.error ?? "The build has ended.");
      await writeEnd(this.#options, this.row, {
        ending,
        recorder,
        receivedBytes: [...this.#received.values()].reduce((sum, bytes) => sum + bytes, 0),
        masker: this.#masker,
        socketOf: this.#socketOf,
        folders: this.#seen.folders(),
      });
    } finally {
      this.#cut("The build has ended.");
      this.#options.later(this.#leave(solved));
      this.#seen.release();
      this.#options.onEnded(state);
    }
  }

  /** A builder that is still being opened gives back its place itself. */
  async #leave(solved: readonly Solved[]): Promise<void> {
    const [{ hasSecrets }, socketOf] = [this.#masker, this.#socketOf];
    await forgetEnded(this.#options, this.row.id, { hasSecrets, kept: this.#kept, solved, socketOf });
    for (const place of this.#opened.values()) place.release();
  }

  readonly #socketOf = (platform: string): string | undefined => this.#opened.get(platform)?.socket;
}
