/**
 * 1. Requests of stock clients to a frontend within their solve are recorded like those of a solve: secret-looking arguments
 *    masked, those of several calls merged, the commit found by a search. A solve that names no frontend removes nothing.
 * 2. Endless calls to frontends, and endless secrets, are refused.
 * 3. A build that takes too long is canceled with that reason; a build that finishes in time is not.
 * 4. A build whose clients are gone is canceled after 45 seconds, unless one comes back.
 * 5. While the builders' port is taken, asking for a builder says what to do, and the build stays queued.
 * 6. A client that exceeds the limit of the context is refused, and the build fails for that reason, whatever its client reports.
 *    Each platform has the whole limit, and the record has the sum.
 * 7. The layer caches of deleted projects are removed even without records of builds; those of other projects stay.
 * 8. A build that waits for a second builder is not treated as if its client were gone.
 * 9. If a builder's end has a reason, the record of its build says it, even when the client reports the end first.
 * 10. An unreadable session of a client becomes a warning of the build, once. Too many secrets are refused.
 * 11. The time that a build waits for its turn on a machine counts as waiting, not as the start of its builder.
 */
import { afterEach, describe, expect, test, vi } from "vitest";
import { deleteProject } from "#accounts/index.ts";
import { testDatabaseKinds } from "#platform/testing/database.ts";
import { CLIENT_GONE_MS, MAX_FRONTENDS, MAX_SECRETS } from "../contract/limits.ts";
import type { Builders } from "../machine/machine.ts";
import type { ProxyBuild } from "../proxy/proxy-build.ts";
import type { SolveSummary } from "../proxy/solve-rules.ts";
import { openTestBuilds } from "../testing/builds.ts";
import { disk } from "../testing/disk.ts";

const platform = "linux/amd64";
const MINUTE_MS = 60_000;
type Place = Awaited<ReturnType<typeof openTestBuilds>>;

const solveOf = (ref: string): SolveSummary => ({
  ref,
  frontend: "",
  attributes: {},
  exporters: [],
  cacheExports: [],
  cacheImports: [],
  entitlements: [],
  isInternal: false,
});

async function addBuild({ builds, caller, addProject }: Place, name = "web"): Promise<string> {
  const { id: projectId } = await addProject(name);
  const input = { projectId, save: false, saveTags: [], labels: {}, branch: "", commitSha: "" };
  return (await builds.create(caller, input)).id;
}

async function begin(place: Place, name?: string): Promise<{ buildId: string; live: ProxyBuild }> {
  const buildId = await addBuild(place, name);
  await place.builds.getEndpoint(place.caller, { buildId, platform });
  return { buildId, live: place.way.find(buildId, platform)! };
}

async function waitForEnd({ builds, caller }: Place, buildId: string): Promise<void> {
  for await (const { build } of builds.watch(caller, buildId, new AbortController().signal))
    if (build?.state === "canceled") return;
}

/** Fake time also advances on its own, for whatever a database waits for. */
const holdTime = () => vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"], shouldAdvanceTime: true });
const MARGIN_MS = 20_000;
afterEach(() => void vi.useRealTimers());

describe.each(testDatabaseKinds)("%s", (kind) => {
  test("1. asked within a solve", async () => {
    await using place = await openTestBuilds(kind);
    const { builds, caller } = place;
    const { buildId, live } = await begin(place);
    await live.onSolve(solveOf("first-0123456789"));
    await live.onFrontend("dockerfile.v0", {
      filename: "web/Dockerfile",
      target: "test",
      "build-arg:NPM_TOKEN": "npm-value-1",
      "build-arg:NODE": "24",
      "context:base": "docker-image://alpine:3",
      "vcs:revision": "0123456789abcdef0123456789abcdef01234567",
      "no-cache": "",
    });
    await live.onFrontend("dockerfile.v0", { target: "release", "build-arg:NODE": "25" });
    await live.onSolve(solveOf("second-0123456789"));
    expect(await builds.get(caller, buildId)).toMatchObject({
      commitSha: "0123456789abcdef0123456789abcdef01234567",
      withoutCache: "",
      inputs: {
        frontend: "dockerfile.v0",
        dockerfile: "Dockerfile",
        target: "release",
        context: "local",
        arguments: { NPM_TOKEN: "***", NODE: "25" },
        namedContexts: { base: "docker-image://alpine:3" },
      },
    });
    const { project_id: projectId } = await place.database.db
      .selectFrom("builds")
      .selectAll()
      .executeTakeFirstOrThrow();
    const query = { projectId, states: [], query: "0123456789abcdef", branch: "", createdBy: "" };
    const { builds: found } = await builds.list(caller, { ...query, platform: "", sort: "" });
    expect(found.map(({ id }) => id)).toEqual([buildId]);
    await builds.finish(caller, { buildId, succeeded: false, error: "exit of npm-value-1", digest: "" });
    expect((await builds.get(caller, buildId)).error).toBe("exit of ***");
  });

  test("2. without end", async () => {
    await using place = await openTestBuilds(kind);
    const { live } = await begin(place);
    const secrets = Array.from({ length: MAX_SECRETS + 1 }, (_, at) => [
      `build-arg:TOKEN${at}`,
      `secret-${at}`,
    ]);
    const tooMany = live.onFrontend("dockerfile.v0", Object.fromEntries(secrets));
    await expect(tooMany).rejects.toThrow("Pass secrets with --secret.");
    for (let call = 1; call < MAX_FRONTENDS; call += 1) await live.onFrontend("dockerfile.v0", {});
    await expect(live.onFrontend("dockerfile.v0", {})).rejects.toThrow(`at most ${MAX_FRONTENDS} times`);
  });

  test.each([
    [2 * MINUTE_MS, "2 minutes"],
    [MINUTE_MS / 2, "30 seconds"],
  ])("3. too long: %d ms", async (timeoutMs, limit) => {
    await using place = await openTestBuilds(kind, { timeoutMs });
    const { builds, caller } = place;
    holdTime();
    const { buildId: long, live } = await begin(place);
    const { buildId: short, live: other } = await begin(place, "other");
    for (const each of [live, other]) each.onConnections(1);
    await vi.advanceTimersByTimeAsync(timeoutMs - MARGIN_MS);
    expect((await builds.get(caller, long)).state).toBe("running");
    await builds.finish(caller, { buildId: short, succeeded: true, error: "", digest: "" });
    await vi.advanceTimersByTimeAsync(MARGIN_MS);
    await waitForEnd(place, long);
    expect(await builds.get(caller, long)).toMatchObject({
      state: "canceled",
      canceledBy: "",
      error: `The build ran longer than its limit of ${limit} (MILLRACE_BUILD_TIMEOUT).`,
    });
    expect((await builds.get(caller, short)).state).toBe("succeeded");
    expect(place.cuts).toContain(long);
  });

  test("4. gone", async () => {
    await using place = await openTestBuilds(kind);
    const { builds, caller } = place;
    holdTime();
    const { buildId: gone, live } = await begin(place);
    const { buildId: back, live: other } = await begin(place, "other");
    for (const each of [live, other]) each.onConnections(1);
    await vi.advanceTimersByTimeAsync(2 * CLIENT_GONE_MS);
    for (const each of [live, other]) each.onConnections(0);
    await vi.advanceTimersByTimeAsync(CLIENT_GONE_MS - MARGIN_MS);
    other.onConnections(1);
    expect((await builds.get(caller, gone)).state).toBe("running");
    await vi.advanceTimersByTimeAsync(MARGIN_MS);
    await waitForEnd(place, gone);
    expect((await builds.get(caller, gone)).error).toContain("The client disconnected");
    expect((await builds.get(caller, back)).state).toBe("running");
    await vi.waitUntil(() => place.released.length > 0, { timeout: 20_000 });
    expect(place.released).toHaveLength(1);
  });

  test("5. the port is taken", async () => {
    const unreachable = {
      address() {
        throw new Error("Builders cannot be reached: free the port.");
      },
      serverName: "localhost",
      inside: "",
      accept: () => {},
      takeTunnel: () => {},
      signTunnel: () => "opens-it",
      cut: () => {},
      close: async () => {},
    };
    await using place = await openTestBuilds(kind, { openProxy: async () => unreachable });
    const buildId = await addBuild(place);
    const asking = place.builds.getEndpoint(place.caller, { buildId, platform });
    await expect(asking).rejects.toMatchObject({
      code: "unavailable",
      message: "Builders cannot be reached: free the port.",
    });
    expect((await place.builds.get(place.caller, buildId)).state).toBe("queued");
    const endpoint = await place.builds.getEndpoint(place.caller, { buildId, platform, tunnel: true });
    expect(endpoint).toMatchObject({ address: "", tunnelPath: "/builders/connect", tunnelToken: "opens-it" });
  });

  test("6. a large context", async () => {
    await using place = await openTestBuilds(kind, { contextBytes: 5_000_000 });
    const { builds, caller } = place;
    const { buildId, live } = await begin(place);
    live.onReceived(3_000_000);
    live.onReceived(2_000_000);
    expect(() => live.onReceived(1)).toThrow("The build context is larger than the limit of 5 MB");
    live.onRefused("The build context is larger than 5 MB: .dockerignore");
    await builds.finish(caller, { buildId, succeeded: true, error: "", digest: "" });
    expect(await builds.get(caller, buildId)).toMatchObject({
      state: "failed",
      error: expect.stringContaining(".dockerignore"),
      contextBytes: 5_000_001,
    });
  });

  test("6. a context for each of two platforms", async () => {
    await using place = await openTestBuilds(kind, { contextBytes: 5_000_000 });
    const { builds, caller } = place;
    const { buildId, live } = await begin(place);
    await builds.getEndpoint(caller, { buildId, platform: "linux/arm64" });
    const other = place.way.find(buildId, "linux/arm64")!;
    live.onReceived(5_000_000);
    other.onReceived(5_000_000);
    expect(() => other.onReceived(1)).toThrow("The build context is larger than the limit of 5 MB");
    await builds.finish(caller, { buildId, succeeded: true, error: "", digest: "" });
    expect((await builds.get(caller, buildId)).contextBytes).toBe(10_000_001);
  });

  test("7. caches of deleted projects", async () => {
    await using place = await openTestBuilds(kind);
    const { accounts, builds, caller, caches } = place;
    const { id: kept } = await place.addProject("kept");
    const { id: gone } = await place.addProject("gone");
    // As after a restored database or an expired retention: no build is known.
    for (const id of [kept, gone, "prj_0123456789"]) caches.add(id);
    await deleteProject(accounts, caller, { projectId: gone });
    await builds.sweep();
    expect([...caches]).toEqual([kept]);
  });

  test("8. two platforms", async () => {
    await using place = await openTestBuilds(kind, { concurrency: 1 });
    const { builds, caller } = place;
    holdTime();
    const { buildId: first } = await begin(place);
    const { project_id: projectId } = await place.database.db
      .selectFrom("builds")
      .select("project_id")
      .executeTakeFirstOrThrow();
    const input = { projectId, save: false, saveTags: [], labels: {}, branch: "", commitSha: "" };
    const { id: second } = await builds.create(caller, input);
    await builds.getEndpoint(caller, { buildId: second, platform: "linux/arm64" });
    // Each waits for the place of the other. The one that asked first continues, and the other one when that has ended.
    const waiting = builds.getEndpoint(caller, { buildId: second, platform });
    await place.untilInLine(second, platform);
    const more = builds.getEndpoint(caller, { buildId: first, platform: "linux/arm64" });
    await waiting;
    place.way.find(second, platform)?.onConnections(1);
    await vi.advanceTimersByTimeAsync(CLIENT_GONE_MS + MARGIN_MS);
    expect((await builds.get(caller, first)).state).toBe("running");
    await builds.cancel(caller, second);
    await more;
    expect((await builds.get(caller, first)).platforms).toEqual([platform, "linux/arm64"]);
  });

  test("9. a builder that ends", async () => {
    await using place = await openTestBuilds(kind);
    const { builds, caller, machine } = place;
    const { promise, resolve } = Promise.withResolvers<string>();
    machine.ended = promise;
    const { buildId, live } = await begin(place);
    await live.onSolve(solveOf("evicted-0123456789"));
    const claim = { buildId, succeeded: false, error: "the builder has ended", digest: "" };
    const finishing = builds.finish(caller, claim);
    resolve("the builder's pod was evicted: The node was low on memory.");
    await finishing;
    expect(await builds.get(caller, buildId)).toMatchObject({
      state: "failed",
      error:
        "The builder ended while the build ran: the builder's pod was evicted: The node was low on memory. Run it again: finished steps are in the layer cache.",
    });
  });

  test("10. what cannot be masked", async () => {
    await using place = await openTestBuilds(kind);
    const { builds, caller } = place;
    const { buildId, live } = await begin(place);
    await live.onSolve(solveOf("unread-0123456789"));
    for (let time = 0; time < 2; time += 1) live.onUnread();
    await builds.finish(caller, { buildId, succeeded: true, error: "", digest: "" });
    expect((await builds.get(caller, buildId)).warnings).toEqual([
      expect.objectContaining({
        message: expect.stringMatching(/secrets .* could not be read: .* not masked/),
      }),
    ]);
    const { live: other } = await begin(place, "other");
    expect(() => {
      for (let at = 0; at < 100; at += 1) other.onSecret(Buffer.alloc(400_000, `${at} of many `));
    }).toThrow("at most 4 MB of secrets");
  });

  test("11. a turn", async () => {
    let pass = (_ms: number) => {};
    const open: Builders["open"] = async (want, turn) => {
      pass(5_000);
      turn?.onTurn?.();
      pass(300);
      return disk({}).open(want);
    };
    await using place = await openTestBuilds(kind, { builders: { ...disk({}), open } });
    pass = (ms) => void (place.time.now += ms);
    await begin(place);
    const { places, waitedMs, builderStarts, builderStartMs } = place.builds.totals;
    expect({ places, waitedMs }).toEqual({ places: 1, waitedMs: 5_000 });
    expect({ builderStarts, builderStartMs }).toEqual({ builderStarts: 1, builderStartMs: 300 });
  });
});
