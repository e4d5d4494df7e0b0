/**
 * Hostile requests and manifests, on both databases:
 * 1. Endless digests and types with control characters are refused with a message; lists filtered by them are empty.
 * 2. One answer of referrers has 4 MiB at most, in bytes as they are sent, and the pages together have all of them.
 * 3. The uploads in progress of an organization are limited, across all of its repositories; other organizations have their own
 *    limit.
 * 4. If many requests end one upload at the same time, one writes the blob; the others write nothing.
 * 5. Another organization's project takes as many queries as one that does not exist, even while its owner uses it.
 */
import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { createProject, identify } from "#accounts/index.ts";
import type { ByteStore } from "#platform/blobs/byte-store.ts";
import { openDiskStore } from "#platform/blobs/disk-store.ts";
import { testDatabaseKinds } from "#platform/testing/database.ts";
import { MAX_REFERRERS_BYTES, MAX_UPLOADS_OF_ORGANIZATION } from "./contract/limits.ts";
import { createGranting } from "./access/grant.ts";
import type { Descriptor } from "./contract/registry.ts";
import { asManifest, makeImage, OCI_IMAGE, OCI_INDEX } from "./testing/images.ts";
import { digestOf, openTestClient, type TestClient } from "./testing/client.ts";

async function open(...args: Parameters<typeof openTestClient>): Promise<TestClient> {
  const client = await openTestClient(...args);
  onTestFinished(client.close);
  return client;
}

const push = ({ ask }: TestClient, bytes: Uint8Array, type: string) =>
  ask("PUT", "/v2/acme/web/manifests/latest", { body: bytes, headers: { "content-type": type } });

describe.each(testDatabaseKinds)("%s", (kind) => {
  const endless = `a:${"b".repeat(1_000_000)}`;
  const size = 7;
  const foreign = { mediaType: "application/vnd.docker.image.rootfs.foreign.diff.tar.gzip", size };
  const digest = digestOf("x");
  test.each<[name: string, type: string, fields: object, status: number]>([
    ["a subject", OCI_INDEX, { subject: { mediaType: OCI_IMAGE, size, digest: endless } }, 400],
    ["a layer", OCI_IMAGE, { layers: [{ ...foreign, digest: endless }] }, 400],
    ["a type", OCI_IMAGE, { layers: [{ ...foreign, digest, mediaType: "a/\u0000.nondistributable." }] }, 400],
    ["an artifact's type", OCI_INDEX, { artifactType: "a/b\u0000" }, 400],
    ["a line break", OCI_INDEX, { artifactType: "a/b\r\nset-cookie: c=d" }, 400],
    // A manifest of an unknown type has no required fields; impossible values are left out.
    ["what no one knows", "a/b", { artifactType: "\u0000", layers: [{ ...foreign, digest: endless }] }, 201],
  ])("1. %s", async (_, type, fields, status) => {
    const client = await open(kind);
    const { config } = await makeImage(client.test, client.projects.web);
    const whole = { ...(type === OCI_IMAGE && { config: { mediaType: "a/c", ...config } }), ...fields };
    const answer = await push(client, asManifest(type, whole).bytes, type);
    expect([answer.status, answer.code]).toEqual([status, status === 400 ? "MANIFEST_INVALID" : ""]);
    expect(client.logged).toEqual([]);
  });

  test("1. lists of what cannot be", async () => {
    const client = await open(kind);
    for (const artifactType of ["%00", "%0D%0A", "a".repeat(3_000)]) {
      const at = `/v2/acme/web/referrers/${digest}?artifactType=${artifactType}`;
      const answer = await client.ask("GET", at);
      expect([answer.status, JSON.parse(answer.text)]).toMatchObject([200, { manifests: [] }]);
    }
    expect(client.logged).toEqual([]);
  });

  test("2. many referrers with long annotations", async () => {
    const client = await open(kind);
    const { database } = client.test;
    const note = "図".repeat(5_000);
    const rows = Array.from({ length: 400 }, (_, at) => ({
      repository_id: client.projects.web,
      digest: digestOf(`${at}`),
      media_type: OCI_IMAGE,
      artifact_type: "",
      subject: digest,
      size: 1,
      image_bytes: 1,
      annotations: JSON.stringify({ note }),
      platforms: "",
      commit_sha: null,
      pushed_by: "",
      pushed_at: 0,
      pusher: "",
      created_at: 0,
      pulls: 0,
      pulled_at: null,
      puller: "",
    }));
    for (let start = 0; start < rows.length; start += 100)
      await database.db
        .insertInto("registry_manifests")
        .values(rows.slice(start, start + 100))
        .execute();
    const found: string[] = [];
    let path: string | undefined = `/v2/acme/web/referrers/${digest}`;
    while (path !== undefined) {
      const answer = await client.ask("GET", path);
      expect(answer.body.length).toBeLessThanOrEqual(MAX_REFERRERS_BYTES);
      const { manifests } = JSON.parse(answer.text) as { manifests: Descriptor[] };
      found.push(...manifests.map((item) => item.digest));
      path = /^<([^>]+)>/.exec(String(answer.headers["link"] ?? ""))?.[1];
    }
    expect(found).toEqual(rows.map((row) => row.digest).toSorted());
  });

  test("3. uploads of an organization", async () => {
    const client = await open(kind);
    const { db } = client.test.database;
    const begin = (repository: string, token?: string) =>
      client.ask("POST", `/v2/${repository}/blobs/uploads/`, token === undefined ? {} : { token });
    expect((await begin("acme/web")).status).toBe(202);
    // As if they were in projects that are each below their limit.
    const own = { organization_id: client.organizationId, mirror: "", created_at: 0 };
    const ids = Array.from({ length: 10 }, (_, at) => `prj_${at}`);
    await db
      .insertInto("registry_repositories")
      .values(ids.map((id) => ({ ...own, id })))
      .execute();
    const uploads = Array.from({ length: MAX_UPLOADS_OF_ORGANIZATION - 2 }, (_, at) => ({
      id: `upl_${at}`,
      repository_id: ids[at % ids.length]!,
      started_at: Date.now(),
      received_bytes: 0,
    }));
    for (let start = 0; start < uploads.length; start += 1_000)
      await db
        .insertInto("registry_uploads")
        .values(uploads.slice(start, start + 1_000))
        .execute();
    expect((await begin("acme/api")).status).toBe(202);
    const refused = await begin("acme/api");
    expect([refused.status, refused.code, refused.headers["retry-after"]]).toEqual([
      429,
      "TOOMANYREQUESTS",
      "60",
    ]);
    expect(refused.text).toContain(`organization has ${MAX_UPLOADS_OF_ORGANIZATION} uploads in progress`);
    expect((await begin("evil/loot", client.tokens.stranger)).status).toBe(202);
    await db.updateTable("registry_uploads").set({ started_at: 0 }).where("id", "=", "upl_7").execute();
    expect((await begin("acme/api")).status).toBe(202);
  });

  test("4. many ends of one upload", async () => {
    let created = 0;
    const folder = mkdtempSync(join(tmpdir(), "ends-"));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const client = await open(kind, {
      async openStore(): Promise<ByteStore> {
        const store = await openDiskStore(folder);
        return { ...store, create: () => ((created += 1), store.create()) };
      },
    });
    const { ask } = client;
    const to = String((await ask("POST", "/v2/acme/web/blobs/uploads/")).headers["location"]);
    const parts = [randomBytes(100_000), randomBytes(100_000)];
    for (const body of parts) expect((await ask("PATCH", to, { body })).status).toBe(202);
    expect(created).toBe(2);
    const whole = Buffer.concat(parts);
    const end = () => ask("PUT", `${to}?digest=${digestOf(whole)}`);
    const answers = await Promise.all(Array.from({ length: 20 }, end));
    const statuses = answers.map(({ status }) => status).toSorted();
    expect(statuses).toEqual([201, ...Array.from({ length: 19 }, () => 404)]);
    expect(created).toBe(3);
    expect((await ask("GET", `/v2/acme/web/blobs/${digestOf(whole)}`)).body.equals(whole)).toBe(true);
  });

  test("5. someone else's project", async () => {
    const { test, tokens, owner } = await open(kind);
    const { accounts, database } = test;
    await createProject(accounts, owner.caller, { name: "secret" });
    const grant = createGranting({ database, clock: Date.now });
    const callerOf = async (bearer: string) => ({
      actor: await identify(accounts, { bearer }),
      scopes: null,
    });
    const [mine, stranger] = [await callerOf(tokens.organization), await callerOf(tokens.stranger)];
    const questions = vi.spyOn(database.db, "selectFrom");
    const refusal = async (name: string) => {
      questions.mockClear();
      const message = await grant(stranger, name, "pull").then(
        () => "granted",
        (error: Error) => error.message.replace(name, "…"),
      );
      return [message, questions.mock.calls.length];
    };
    const unknown = await refusal("acme/nothing");
    expect(unknown).toEqual([expect.stringContaining("project … was not found"), 1]);
    expect(await refusal("acme/secret")).toEqual(unknown);
    for (let time = 0; time < 3; time += 1) {
      await grant(mine, "acme/secret", "pull");
      expect(await refusal("acme/secret")).toEqual(unknown);
    }
  });
});
