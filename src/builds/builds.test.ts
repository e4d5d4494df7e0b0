/**
 * 1. A build goes from `queued` over `running` to one end, and no further; its builder and its place are released, and its clients
 *    are disconnected.
 * 2. A project runs no more builds than it has places; the next build begins when one has ended; another project does not wait.
 * 3. A builder that cannot be started leaves the build queued, reports why, and is requested again.
 * 4. A stream sends everything from the beginning, and ends with the build.
 * 5. Lists filter by state, text and branch, count by state, and page without gaps in every order.
 * 6. Builds of a server that is gone are canceled by the next server, or end as their client or a person requested meanwhile; a
 *    build that no client asks for is canceled after ten minutes.
 * 7. Invalid tags, labels and commits are refused, and so are too many unfinished builds.
 * 8. Records are removed with their steps and logs when they are old or their project is gone.
 * 9. For a CI job's build, the claims of its provider are stored, whatever the job says: commit, ref, request, workflow, run. Lists
 *    include them, and leave out what may be long.
 */
import { describe, expect, test, vi } from "vitest";
import { type Actor, deleteProject } from "#accounts/index.ts";
import { testDatabaseKinds } from "#platform/testing/database.ts";
import type { CreateInput, ListInput } from "./contract/builds.ts";
import { openTestBuilds } from "./testing/builds.ts";

const platform = "linux/amd64";
const input = (projectId: string, more: Partial<CreateInput> = {}): CreateInput => ({
  projectId,
  save: false,
  saveTags: [],
  labels: {},
  branch: "",
  commitSha: "",
  ...more,
});
const listed: ListInput = {
  projectId: "",
  states: [],
  query: "",
  branch: "",
  createdBy: "",
  platform: "",
  sort: "",
};
const succeeded = { succeeded: true, error: "", digest: "" };

describe.each(testDatabaseKinds)("%s", (kind) => {
  test("1. and 4. one build", async () => {
    await using place = await openTestBuilds(kind);
    const { builds, caller, cuts, released } = place;
    const { id: projectId } = await place.addProject("web");
    const { id: buildId, state } = await builds.create(caller, input(projectId));
    expect(state).toBe("queued");
    const seen: string[] = [];
    const watching = (async () => {
      for await (const { build } of builds.watch(caller, buildId, new AbortController().signal))
        if (build && seen.at(-1) !== build.state) seen.push(build.state);
    })();
    const hears = (told: string) => vi.waitFor(() => expect(seen).toContain(told), { timeout: 10_000 });
    await hears("queued");
    const endpoint = await builds.getEndpoint(caller, { buildId, platform });
    expect(endpoint).toMatchObject({ address: "tcp://localhost:8372", serverName: "localhost" });
    expect(endpoint.clientCertificate).toContain("BEGIN CERTIFICATE");
    expect(await builds.get(caller, buildId)).toMatchObject({ state: "running", platforms: [platform] });
    await hears("running");
    const [first, second] = await Promise.allSettled([
      builds.finish(caller, { buildId, ...succeeded }),
      builds.cancel(caller, buildId),
    ]);
    expect([first, second].map(({ status }) => status)).toContain("fulfilled");
    const { state: end } = await builds.get(caller, buildId);
    expect(["succeeded", "canceled"]).toContain(end);
    await watching;
    expect(seen).toEqual(["queued", "running", end]);
    expect(cuts).toContain(buildId);
    expect(released).toEqual([`${projectId} ${platform}`]);
    for (const again of [
      () => builds.finish(caller, { buildId, ...succeeded }),
      () => builds.cancel(caller, buildId),
      () => builds.getEndpoint(caller, { buildId, platform }),
    ])
      await expect(again()).rejects.toMatchObject({ code: "failed_precondition" });
    expect((await builds.get(caller, buildId)).state).toBe(end);
  });

  test("2. places", async () => {
    await using place = await openTestBuilds(kind, { concurrency: 1 });
    const { builds, caller } = place;
    const { id: projectId } = await place.addProject("web");
    const { id: otherId } = await place.addProject("other");
    const first = await builds.create(caller, input(projectId));
    const second = await builds.create(caller, input(projectId));
    const third = await builds.create(caller, input(otherId));
    await builds.getEndpoint(caller, { buildId: first.id, platform });
    const waiting = builds.getEndpoint(caller, { buildId: second.id, platform });
    await builds.getEndpoint(caller, { buildId: third.id, platform });
    await place.untilInLine(second.id, platform);
    // Grants free places.
    await builds.look();
    expect(await builds.get(caller, second.id)).toMatchObject({ state: "queued", waitsFor: "place" });
    await builds.finish(caller, { buildId: first.id, ...succeeded });
    await waiting;
    expect((await builds.get(caller, second.id)).state).toBe("running");
    expect([builds.totals.places, builds.totals.waitedMs]).toEqual([3, 0]);
  });

  test("3. no builder", async () => {
    await using place = await openTestBuilds(kind);
    const { builds, caller, machine } = place;
    const { id: projectId } = await place.addProject("web");
    const { id: buildId } = await builds.create(caller, input(projectId));
    machine.error = new Error("No buildkitd: put one on the PATH.");
    const asking = builds.getEndpoint(caller, { buildId, platform });
    await expect(asking).rejects.toMatchObject({ code: "unavailable", message: machine.error.message });
    expect((await builds.get(caller, buildId)).state).toBe("queued");
    machine.error = null;
    await builds.getEndpoint(caller, { buildId, platform });
    const unknown = builds.getEndpoint(caller, { buildId, platform: "windows/amd64" });
    await expect(unknown).rejects.toMatchObject({ code: "failed_precondition" });
  });

  test("5. lists", async () => {
    await using place = await openTestBuilds(kind);
    const { builds, caller, time } = place;
    const { id: projectId } = await place.addProject("web");
    const ids: string[] = [];
    for (const [at, branch] of ["main", "next", "main", "50%"].entries()) {
      time.now += 1000;
      const labels = { title: `Change ${at}` };
      ids.push((await builds.create(caller, input(projectId, { branch, labels }))).id);
    }
    await builds.cancel(caller, ids[0]!);
    const find = async (more: Partial<ListInput>) =>
      (await builds.list(caller, { ...listed, ...more })).builds.map(({ id }) => ids.indexOf(id));
    expect(await find({})).toEqual([3, 2, 1, 0]);
    expect(await find({ sort: "oldest" })).toEqual([0, 1, 2, 3]);
    expect(await find({ branch: "main" })).toEqual([2, 0]);
    expect(await find({ query: "CHANGE 1" })).toEqual([1]);
    expect(await find({ query: "0%" })).toEqual([3]);
    expect(await find({ states: ["canceled"] })).toEqual([0]);
    const pages: number[] = [];
    let pageToken = "";
    do {
      const page = await builds.list(caller, { ...listed, projectId, pageSize: 1, pageToken });
      expect(page.counts).toEqual({ queued: 3, canceled: 1 });
      pages.push(...page.builds.map(({ id }) => ids.indexOf(id)));
      pageToken = page.nextPageToken;
    } while (pageToken !== "");
    expect(pages).toEqual([3, 2, 1, 0]);
    for (const wrong of [{ states: ["gone"] }, { sort: "best" }])
      await expect(find(wrong)).rejects.toMatchObject({ code: "invalid_argument" });
  });

  test("6. what no one runs", async () => {
    await using place = await openTestBuilds(kind);
    const { builds, caller, database, time } = place;
    const { id: projectId } = await place.addProject("web");
    const lost = await builds.create(caller, input(projectId));
    await builds.getEndpoint(caller, { buildId: lost.id, platform });
    // The state that a killed process leaves: its lease is not renewed, and no process has the build in memory.
    const leave = async (told: { reported?: string; cancel_at?: number; canceled_by?: string }) => {
      const build = await builds.create(caller, input(projectId));
      await database.db
        .updateTable("builds")
        .set({ holder: "gone", state: "running", started_at: time.now, ...told })
        .where("id", "=", build.id)
        .execute();
      return build;
    };
    const stays = await leave({});
    const failed = await leave({ reported: JSON.stringify({ succeeded: false, error: "EOF", digest: "" }) });
    const digest = `sha256:${"a".repeat(64)}`;
    const worked = await leave({ reported: JSON.stringify({ succeeded: true, error: "", digest }) });
    const canceled = await leave({ cancel_at: time.now, canceled_by: "anna" });
    await builds.look();
    expect(await builds.get(caller, worked.id)).toMatchObject({ state: "succeeded", digest, error: "" });
    expect(await builds.get(caller, canceled.id)).toMatchObject({
      state: "canceled",
      error: "Canceled by anna.",
      canceledBy: "anna",
    });
    expect(await builds.get(caller, failed.id)).toMatchObject({
      state: "canceled",
      error: expect.stringContaining("The server ended while the build ran."),
    });
    expect(await builds.get(caller, stays.id)).toMatchObject({
      state: "canceled",
      error: expect.stringContaining("The server ended while the build ran."),
    });
    expect((await builds.get(caller, lost.id)).state).toBe("running");
    const abandoned = await builds.create(caller, input(projectId));
    time.now += 11 * 60_000;
    await builds.look();
    expect(await builds.get(caller, abandoned.id)).toMatchObject({
      state: "canceled",
      error: expect.stringContaining("No client"),
    });
  });

  test("7. what is refused", async () => {
    await using place = await openTestBuilds(kind);
    const { builds, caller } = place;
    const { id: projectId } = await place.addProject("web");
    const wrongs: Partial<CreateInput>[] = [
      { saveTags: ["-no"] },
      { saveTags: ["bld_0123456789"] },
      { saveTags: Array.from({ length: 21 }, (_, at) => `t${at}`) },
      { labels: { "": "x" } },
      { labels: { long: "x".repeat(2000) } },
      { branch: "x".repeat(300) },
      { commitSha: "main" },
    ];
    for (const wrong of wrongs)
      await expect(builds.create(caller, input(projectId, wrong))).rejects.toMatchObject({
        code: "invalid_argument",
      });
    const { id: buildId } = await builds.create(caller, input(projectId));
    const digest = "sha256:short";
    await expect(builds.finish(caller, { buildId, ...succeeded, digest })).rejects.toMatchObject({
      field: "digest",
    });
    await expect(builds.get(caller, "bld_0000000000")).rejects.toMatchObject({ code: "not_found" });
  });

  test("8. removed", async () => {
    await using place = await openTestBuilds(kind);
    const { accounts, builds, caller, database, time } = place;
    const { id: projectId } = await place.addProject("web");
    const { id: goneId } = await place.addProject("gone");
    const old = await builds.create(caller, input(projectId));
    await builds.cancel(caller, old.id);
    const ofGone = await builds.create(caller, input(goneId));
    await deleteProject(accounts, caller, { projectId: goneId });
    await expect(builds.get(caller, ofGone.id)).rejects.toMatchObject({ code: "not_found" });
    time.now += 31 * 24 * 60 * 60_000;
    const kept = await builds.create(caller, input(projectId));
    await builds.sweep();
    const rows = await database.db.selectFrom("builds").select("id").execute();
    expect(rows).toEqual([{ id: kept.id }]);
  });

  test("9. of a CI job", async () => {
    await using place = await openTestBuilds(kind);
    const { builds, caller } = place;
    const { id: projectId, organizationId } = await place.addProject("web");
    const names = { name: "repo:acme/web", organization: "acme" };
    const job: Omit<Extract<Actor, { kind: "job" }>, "claims"> = {
      ...names,
      kind: "job",
      tokenId: "tok_1",
      organizationId,
      expiresAt: null,
      projectId,
      cache: "write",
    };
    const claims = {
      subject: "repo:acme/web:pull_request",
      sha: "a".repeat(40),
      ref: "refs/pull/7/merge",
      runUrl: "https://github.com/acme/web/actions/runs/42",
      workflow: "image.yml",
      pullUrl: "https://github.com/acme/web/pull/7",
    };
    const said = input(projectId, { branch: "main", commitSha: "b".repeat(40) });
    const { id } = await builds.create({ ...caller, actor: { ...job, claims } }, said);
    expect(await builds.get(caller, id)).toMatchObject({
      branch: "refs/pull/7/merge",
      commitSha: "a".repeat(40),
      job: {
        subject: claims.subject,
        pullRequest: "7",
        pullRequestUrl: claims.pullUrl,
        workflow: "image.yml",
        runUrl: claims.runUrl,
      },
    });
    // A token of an earlier release has fewer claims.
    const { workflow: _, pullUrl: __, ...earlier } = claims;
    const before = await builds.create({ ...caller, actor: { ...job, claims: earlier } }, said);
    expect(before.job).toMatchObject({ pullRequest: "7", pullRequestUrl: "", workflow: "" });
    const source = { file: "Dockerfile", firstLine: 1, lines: ["FROM"], failedFrom: 1, failedTo: 1 };
    const details = JSON.stringify({ job: before.job, source });
    await place.database.db.updateTable("builds").set({ details }).where("id", "=", id).execute();
    expect((await builds.get(caller, id)).source).toEqual(source);
    // A list of a hundred builds has no long details.
    const { builds: list } = await builds.list(caller, { ...listed, states: ["queued"] });
    expect(list.find((build) => build.id === id)).toMatchObject({ source: null, job: { pullRequest: "7" } });
    expect((await builds.create(caller, said)).job).toBeNull();
  });
});
