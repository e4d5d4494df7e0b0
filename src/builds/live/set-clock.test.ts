/**
 * Several servers, and a PostgreSQL whose clock each of them reads at its own time. A build that runs on a living server is not
 * treated as lost, and its server stays known:
 *
 * 1. to a server that slept for minutes, whose time is behind, before and after it has read the clock;
 * 2. when the clock was set, forward or back, whoever notices first;
 * 3. to a server that is just starting.
 *
 * Later, a server that reports nothing any more has lost its builds, as usual; also when it ended while that clock was ahead (4).
 */
import { describe, expect, test } from "vitest";
import { testDatabaseKinds } from "#platform/testing/database.ts";
import { HOLDER_LEASE_MS, HOLDER_RENEW_MS } from "../contract/limits.ts";
import { openTestBuilds } from "../testing/builds.ts";
import { platform } from "../testing/disk.ts";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const input = { save: false, saveTags: [], labels: {}, branch: "", commitSha: "" };

/** A server that runs a build, and a function to open others. */
async function openServers() {
  const start = Date.now();
  const passed = { ms: 0 };
  const elapsed = () => passed.ms;
  /** @param setBy its offset of the clock */
  const knowing = (setBy: number) => {
    const known = { setBy, looksAt: setBy, isGone: false };
    const options = {
      clock: () => start + passed.ms + known.setBy,
      elapsed,
      async lookAtClock() {
        // A busy machine takes so long that the server also looks by itself, and would report.
        if (known.isGone) throw new Error("this server has stopped");
        known.setBy = known.looksAt;
      },
    };
    return { known, options };
  };
  const first = knowing(0);
  const place = await openTestBuilds("postgres", { server: "first", ...first.options });
  const { builds, caller, database } = place;
  const { id: projectId } = await place.addProject("web");
  const { id: buildId } = await builds.create(caller, { ...input, projectId });
  await builds.getEndpoint(caller, { buildId, platform });
  return {
    first: { known: first.known, builds },
    async openOther(setBy = 0) {
      const { known, options } = knowing(setBy);
      const replica = await place.openReplica({ server: "other", ...options });
      return { known, builds: replica.builds, [Symbol.asyncDispose]: replica.close };
    },
    pass: (ms: number) => void (passed.ms += ms),
    async read() {
      const { state } = await builds.get(caller, buildId);
      const servers = await database.db.selectFrom("build_servers").select("server").execute();
      return [state, ...servers.map(({ server }) => server).toSorted()];
    },
    [Symbol.asyncDispose]: () => place[Symbol.asyncDispose](),
  };
}

type Servers = Awaited<ReturnType<typeof openServers>>;
type Other = Awaited<ReturnType<Servers["openOther"]>>;

const WELL = ["running", "first", "other"];

/** Both are alive, and run their checks as usual. */
async function passLease({ pass, first }: Servers, other: Other): Promise<void> {
  for (let ms = 0; ms < 2 * HOLDER_LEASE_MS; ms += HOLDER_RENEW_MS) {
    pass(HOLDER_RENEW_MS);
    await first.builds.look();
    await other.builds.look();
  }
}

describe.runIf(testDatabaseKinds.includes("postgres"))("PostgreSQL's clock", () => {
  test("1. slept", async () => {
    await using servers = await openServers();
    await using other = await servers.openOther();
    await passLease(servers, other);
    expect(await servers.read()).toEqual(WELL);
    // Its clock does not include the minutes that it slept.
    Object.assign(other.known, { setBy: -5 * MINUTE_MS, looksAt: -5 * MINUTE_MS });
    await other.builds.look();
    expect(await servers.read()).toEqual(WELL);
    other.known.looksAt = 0;
    await other.builds.look();
    expect(await servers.read()).toEqual(WELL);
    await passLease(servers, other);
    expect(await servers.read()).toEqual(WELL);
  });

  test.each([HOUR_MS, -HOUR_MS])("2. set by %d ms", async (setBy) => {
    for (const isFirst of [true, false]) {
      await using servers = await openServers();
      await using other = await servers.openOther();
      await passLease(servers, other);
      const both = [servers.first, other];
      for (const each of both) each.known.looksAt = setBy;
      for (const each of isFirst ? both : both.toReversed()) {
        await each.builds.look();
        expect(await servers.read()).toEqual(WELL);
      }
      await passLease(servers, other);
      expect(await servers.read()).toEqual(WELL);
      // The first server stops reporting.
      servers.first.known.isGone = true;
      for (let ms = 0; ms <= 3 * HOLDER_LEASE_MS; ms += HOLDER_RENEW_MS) {
        servers.pass(HOLDER_RENEW_MS);
        await other.builds.look();
      }
      expect(await servers.read()).toEqual(["canceled", "other"]);
    }
  });

  test("3. started", async () => {
    await using servers = await openServers();
    servers.first.known.looksAt = HOUR_MS;
    await using other = await servers.openOther(HOUR_MS);
    expect(await servers.read()).toEqual(WELL);
    await passLease(servers, other);
    expect(await servers.read()).toEqual(WELL);
  });

  test("4. ended while it was ahead", async () => {
    await using servers = await openServers();
    await using other = await servers.openOther();
    for (const each of [servers.first, other]) each.known.looksAt = HOUR_MS;
    await passLease(servers, other);
    expect(await servers.read()).toEqual(WELL);
    other.known.looksAt = 0;
    servers.first.known.isGone = true;
    for (let ms = 0; ms <= 3 * HOLDER_LEASE_MS; ms += HOLDER_RENEW_MS) {
      servers.pass(HOLDER_RENEW_MS);
      await other.builds.look();
    }
    expect(await servers.read()).toEqual(["canceled", "other"]);
  });
});
