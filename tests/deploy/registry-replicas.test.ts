/**
 * The registry of two servers on one PostgreSQL and one bucket of S3:
 * 1. An image pushed at one server is pulled at the other immediately: manifest, config, layers of one part and of
 *    several in S3. Clients are sent to the bucket for a layer, and get its bytes there.
 * 2. An upload continues and ends at the other server; one server's token is valid at both.
 * 3. A tag that moves or is deleted at one server has moved or gone at the other by its next answer; a manifest that
 *    was deleted is unknown there after a second.
 * 4. Two simultaneous pushes of one tag at both servers: one of them wins, whole, and both servers answer the same.
 * 5. The organization's quota holds at both, except for the other server's uploads of the last seconds. There is room
 *    at both soon after a deletion at one.
 * 6. A server that is killed while images are pushed loses nothing that it has acknowledged; the other continues, and
 *    ends the uploads that were under way.
 * 7. While S3 is unreachable, requests that need it are answered 503 with Retry-After and others are answered; then both
 *    continue.
 */
import { createHash, randomBytes } from "node:crypto";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startTestS3, type TestS3 } from "#platform/testing/s3.ts";
import { type Answer, json, send } from "../attack/requests.ts";
import { OWNER_TOKEN, prepareBuild, type RunningServer, startServer } from "../attack/server-process.ts";
import { findPostgres, type RunningPostgres, startPostgres } from "./postgres.ts";

/** Limits the wait for what never happens: on a busy machine everything takes longer. */
const AT_MOST_MS = 30_000;
const PAUSE_MS = 50;
const SMALL_BYTES = 1_000;
const LARGE_BYTES = 200_000;
/** More than one part in S3. */
const PARTS_BYTES = 20_000_000;
const QUOTA_BYTES = 100_000_000;
const IMAGE = "application/vnd.oci.image.manifest.v1+json";
const PATH = "/v2/default/web";

const programs = findPostgres();
const bearer = `Bearer ${OWNER_TOKEN}`;
const digestOf = (content: Uint8Array) => `sha256:${createHash("sha256").update(content).digest("hex")}`;

describe.skipIf(!programs)("the registry of two servers (skipped where PostgreSQL is not installed)", () => {
  let postgres: RunningPostgres;
  let s3: TestS3;
  let first: RunningServer;
  let second: RunningServer;
  let env: { [name: string]: string };
  let client: pg.Client;

  beforeAll(async () => {
    await prepareBuild();
    [postgres, s3] = await Promise.all([startPostgres(programs!), startTestS3()]);
    env = {
      MILLRACE_DATABASE_URL: postgres.url,
      MILLRACE_SECRET_KEY: randomBytes(32).toString("base64"),
      MILLRACE_BLOB_URL: s3.url,
      MILLRACE_BLOB_REDIRECT: "on",
      MILLRACE_IMAGE_QUOTA: "100MB",
      RATE_LIMIT_FACTOR: "0",
    };
    [first, second] = await Promise.all([startServer({ env }), startServer({ env })]);
    client = new pg.Client({ connectionString: postgres.url });
    await client.connect();
    for (const name of ["web", "copy"]) {
      const create = json("/api/millrace.v1.ProjectService/Create", { name }, { headers: authorized() });
      expect((await send(first.port, create)).status).toBe(200);
    }
  }, 300_000);
  afterAll(async () => {
    await client?.end();
    await Promise.all([first?.stop(), second?.stop()]);
    await Promise.all([postgres?.close(), s3?.close()]);
  }, 60_000);

  const authorized = (authorization = bearer) => ({ authorization });
  const ask = (
    server: RunningServer,
    method: string,
    path: string,
    more: { body?: Buffer; headers?: { [name: string]: string } } = {},
  ): Promise<Answer> =>
    send(server.port, {
      method,
      path,
      headers: { ...authorized(), ...more.headers },
      ...(more.body && { body: more.body }),
    });

  async function putBlob(server: RunningServer, content: Buffer): Promise<Answer> {
    return ask(server, "POST", `${PATH}/blobs/uploads/?digest=${digestOf(content)}`, { body: content });
  }

  /** Also follows a redirect to the bucket. */
  async function getBlob(server: RunningServer, content: Buffer): Promise<Buffer | number> {
    const answer = await ask(server, "GET", `${PATH}/blobs/${digestOf(content)}`);
    if (answer.status !== 307) return answer.status === 200 ? answer.body : answer.status;
    const stored = await fetch(answer.headers["location"]!);
    return stored.ok ? Buffer.from(await stored.arrayBuffer()) : stored.status;
  }

  /** @returns the blobs, the manifest, and the statuses of all answers */
  async function push(server: RunningServer, reference: string, sizes: readonly number[] = [SMALL_BYTES]) {
    const blobs = [
      Buffer.from(`{"made":"${randomBytes(8).toString("hex")}"}`),
      ...sizes.map((size) => randomBytes(size)),
    ];
    const answers = await Promise.all(blobs.map((blob) => putBlob(server, blob)));
    const [config, ...layers] = blobs.map((blob, index) => ({
      mediaType:
        index === 0 ? "application/vnd.oci.image.config.v1+json" : "application/vnd.oci.image.layer.v1.tar",
      digest: digestOf(blob),
      size: blob.length,
    }));
    const manifest = Buffer.from(JSON.stringify({ schemaVersion: 2, mediaType: IMAGE, config, layers }));
    const answer = await putManifest(server, reference, manifest);
    return { blobs, manifest, statuses: [...answers, answer].map(({ status }) => status) };
  }
  const putManifest = (server: RunningServer, reference: string, body: Buffer) =>
    ask(server, "PUT", `${PATH}/manifests/${reference}`, { body, headers: { "content-type": IMAGE } });
  const getManifest = (server: RunningServer, reference: string) =>
    ask(server, "GET", `${PATH}/manifests/${reference}`);
  const deleteManifest = (server: RunningServer, reference: string) =>
    ask(server, "DELETE", `${PATH}/manifests/${reference}`);

  async function query(text: string): Promise<Record<string, unknown>[]> {
    const { rows } = await client.query<Record<string, unknown>>(text);
    return rows;
  }

  /** @throws Error when it does not come true */
  async function untilTrue(what: string, holds: () => Promise<boolean>): Promise<void> {
    const begun = performance.now();
    while (!(await holds())) {
      if (performance.now() - begun > AT_MOST_MS) throw new Error(`Not in ${AT_MOST_MS} ms: ${what}`);
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
    }
  }

  /** Checks that references to blobs are counted, and that the blobs exist. */
  async function checkCounts(): Promise<void> {
    const miscounted = await query(`select b.digest, b.reference_count, count(r.digest)
      from blobs b left join (select digest from registry_blobs union all select digest from registry_manifests) r
        on r.digest = b.digest
      group by b.digest having b.reference_count <> count(r.digest)`);
    const lost = await query(
      `select digest from registry_blobs r where not exists (select 1 from blobs b where b.digest = r.digest)`,
    );
    expect({ miscounted, lost }).toEqual({ miscounted: [], lost: [] });
  }

  test("1. pushed at one, pulled at the other", { timeout: 120_000 }, async () => {
    for (const [from, to] of [
      [first, second],
      [second, first],
    ] as const) {
      const image = await push(from, "v1", [SMALL_BYTES, LARGE_BYTES, PARTS_BYTES]);
      expect(image.statuses).toEqual(image.statuses.map(() => 201));
      const found = await getManifest(to, "v1");
      expect([found.status, found.body.equals(image.manifest)]).toEqual([200, true]);
      for (const blob of image.blobs) expect(await getBlob(to, blob)).toEqual(blob);
      const large = await ask(to, "GET", `${PATH}/blobs/${digestOf(image.blobs.at(-1)!)}`);
      expect([large.status, large.headers["location"]]).toEqual([
        307,
        expect.stringContaining("X-Amz-Signature"),
      ]);
    }
    await checkCounts();
  });

  test("2. an upload and a token at both", async () => {
    const scope = "repository:default/web:pull,push";
    const given = await ask(first, "GET", `/v2/token?service=millrace&scope=${scope}`);
    const { token } = JSON.parse(given.body.toString()) as { token: string };
    const headers = authorized(`Bearer ${token}`);
    const content = randomBytes(3 * LARGE_BYTES);
    const begun = await ask(first, "POST", `${PATH}/blobs/uploads/`, { headers });
    let place = begun.headers["location"]!;
    for (const [index, server] of [first, second, first].entries()) {
      const [start, end] = [index * LARGE_BYTES, (index + 1) * LARGE_BYTES];
      const sent = await ask(
        server,
        "PATCH",
        new URL(place, "http://x").pathname + new URL(place, "http://x").search,
        {
          headers: { ...headers, "content-range": `${start}-${end - 1}` },
          body: content.subarray(start, end),
        },
      );
      expect([index, sent.status, sent.headers["range"]]).toEqual([index, 202, `0-${end - 1}`]);
      place = sent.headers["location"]!;
    }
    const url = new URL(place, "http://x");
    url.searchParams.set("digest", digestOf(content));
    const ended = await ask(second, "PUT", url.pathname + url.search, { headers });
    expect(ended.status).toBe(201);
    expect(await getBlob(first, content)).toEqual(content);
    await checkCounts();
  });

  test("3. a tag moves and goes, a manifest goes", async () => {
    const [one, two] = [await push(first, "moving"), await push(first, "other")];
    for (let round = 0; round < 6; round += 1) {
      const { manifest } = round % 2 === 0 ? two : one;
      const [at, elsewhere] = round % 3 === 0 ? [first, second] : [second, first];
      expect((await getManifest(elsewhere, "moving")).status).toBe(200);
      expect((await putManifest(at, "moving", manifest)).status).toBe(201);
      expect((await getManifest(elsewhere, "moving")).body.equals(manifest)).toBe(true);
    }
    expect((await deleteManifest(first, "moving")).status).toBe(202);
    expect((await getManifest(second, "moving")).status).toBe(404);
    const digest = digestOf(two.manifest);
    expect((await getManifest(second, digest)).status).toBe(200);
    expect((await deleteManifest(first, digest)).status).toBe(202);
    const isGone = async () => (await getManifest(second, digest)).status === 404;
    await untilTrue("the other server sees that the manifest was deleted", isGone);
    expect((await getManifest(second, "other")).status).toBe(404);
    await checkCounts();
  });

  test("4. two who push one tag", { timeout: 60_000 }, async () => {
    for (let round = 0; round < 5; round += 1) {
      const images = await Promise.all(
        Array.from({ length: 8 }, (_, index) => push(index % 2 === 0 ? first : second, `of-two-${round}`)),
      );
      for (const { statuses } of images) expect(statuses).toEqual([201, 201, 201]);
      const [one, two] = await Promise.all([
        getManifest(first, `of-two-${round}`),
        getManifest(second, `of-two-${round}`),
      ]);
      expect(one.body.equals(two.body)).toBe(true);
      const winner = images.find(({ manifest }) => manifest.equals(one.body));
      for (const blob of winner?.blobs ?? [null]) expect(await getBlob(second, blob!)).toEqual(blob);
    }
    await checkCounts();
  });

  test("5. the quota", { timeout: 120_000 }, async () => {
    const blobs: Buffer[] = [];
    const statuses: number[] = [];
    while (statuses.at(-1) !== 403 && blobs.length < 20) {
      const blob = randomBytes(PARTS_BYTES / 2);
      blobs.push(blob);
      statuses.push((await putBlob(blobs.length % 2 === 0 ? first : second, blob)).status);
    }
    expect(statuses).toEqual([...statuses.slice(0, -1).map(() => 201), 403]);
    // Near the end each server counts the other server's uploads after some seconds, before that after a minute.
    const atOne = (Math.ceil(statuses.length / 2) * PARTS_BYTES) / 2;
    const held = "select sum(size) as bytes from (select distinct digest, size from registry_blobs) b";
    expect(Number((await query(held))[0]?.["bytes"])).toBeLessThanOrEqual(QUOTA_BYTES + atOne);
    // The count is up to date before a refusal.
    const refused = await putBlob(blobs.length % 2 === 0 ? first : second, randomBytes(PARTS_BYTES / 2));
    expect([refused.status, refused.body.toString()]).toEqual([
      403,
      expect.stringMatching(/DENIED.*100 MB/s),
    ]);
    for (const blob of blobs) await ask(first, "DELETE", `${PATH}/blobs/${digestOf(blob)}`);
    for (const server of [first, second]) {
      const hasRoom = async () => (await putBlob(server, randomBytes(PARTS_BYTES / 2))).status === 201;
      await untilTrue("the server has room again", hasRoom);
    }
    await checkCounts();
  });

  test("6. kill -9 in the middle of pushes", { timeout: 180_000 }, async () => {
    const begun = await ask(first, "POST", `${PATH}/blobs/uploads/`);
    const kept = randomBytes(LARGE_BYTES);
    const half = await ask(first, "PATCH", begun.headers["location"]!.replace(/^https?:\/\/[^/]+/, ""), {
      body: kept.subarray(0, LARGE_BYTES / 2),
    });
    expect(half.status).toBe(202);
    const acknowledged = new Map<string, Awaited<ReturnType<typeof push>>>();
    let number = 0;
    let isOver = false;
    const pushOn = async () => {
      while (!isOver) {
        const tag = `killed-${(number += 1)}`;
        const image = await push(first, tag, [[SMALL_BYTES, LARGE_BYTES][number % 2] ?? SMALL_BYTES]);
        if (image.statuses.every((status) => status === 201)) acknowledged.set(tag, image);
        else isOver = true;
      }
    };
    const pushing = Promise.all(Array.from({ length: 8 }, pushOn));
    await untilTrue("30 images are acknowledged", async () => acknowledged.size > 30);
    await first.kill();
    await pushing;
    for (const [tag, { manifest, blobs }] of acknowledged) {
      const found = await getManifest(second, tag);
      expect([tag, found.status, found.body.equals(manifest)]).toEqual([tag, 200, true]);
      for (const blob of blobs) expect(await getBlob(second, blob)).toEqual(blob);
    }
    const place = new URL(half.headers["location"]!, "http://x");
    const rest = await ask(second, "PATCH", place.pathname + place.search, {
      headers: { "content-range": `${LARGE_BYTES / 2}-${LARGE_BYTES - 1}` },
      body: kept.subarray(LARGE_BYTES / 2),
    });
    expect(rest.status).toBe(202);
    const end = new URL(rest.headers["location"]!, "http://x");
    end.searchParams.set("digest", digestOf(kept));
    expect((await ask(second, "PUT", end.pathname + end.search)).status).toBe(201);
    expect(await getBlob(second, kept)).toEqual(kept);
    first = await startServer({ env, dataDir: first.dataDir });
    const [tag, { manifest }] = [...acknowledged].at(-1)!;
    expect((await getManifest(first, tag)).body.equals(manifest)).toBe(true);
    await checkCounts();
  });

  test("7. S3 is unreachable", { timeout: 120_000 }, async () => {
    const image = await push(first, "before", [LARGE_BYTES]);
    await s3.stop();
    for (const server of [first, second]) {
      const { status, headers, body } = await putBlob(server, randomBytes(LARGE_BYTES));
      expect([status, headers["retry-after"]]).toEqual([503, expect.stringMatching(/^\d+$/)]);
      expect(JSON.parse(body.toString())).toHaveProperty("errors.0.message");
      expect((await getManifest(server, "before")).body.equals(image.manifest)).toBe(true);
      expect((await ask(server, "HEAD", `${PATH}/blobs/${digestOf(image.blobs[1]!)}`)).status).toBe(200);
    }
    await s3.start();
    for (const server of [first, second]) {
      const isBack = async () => (await putBlob(server, randomBytes(LARGE_BYTES))).status === 201;
      await untilTrue("the server writes to S3 again", isBack);
      expect(await getBlob(server, image.blobs[1]!)).toEqual(image.blobs[1]);
    }
    await checkCounts();
  });
});
