/**
 * Random uploads, on the real database and folder, next to a model that keeps them in memory:
 * 1. An upload has the acknowledged bytes, whatever was refused, and a blob has the bytes of its digest.
 * 2. Blobs have one reference for each repository that has them, and the organization's bytes are those of its blobs and
 *    uploads.
 * 3. There are files for blobs and for parts in progress, and no others.
 */
import { rmSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, onTestFinished, test } from "vitest";
import { collectNow } from "#platform/testing/collect.ts";
import { testDatabaseKinds } from "#platform/testing/database.ts";
import { consoleLog } from "#platform/log/log.ts";
import { longer } from "#platform/testing/longer.ts";
import { createQuota } from "../blobs/quota.ts";
import { type Answer, digestOf, openTestClient, type TestClient } from "../testing/client.ts";

type Repository = "web" | "api";

interface ModelUpload {
  repository: Repository;
  /** Null: it has ended. */
  content: Buffer | null;
  id: string;
}

interface Model {
  uploads: ModelUpload[];
  blobs: Readonly<Record<Repository, Map<string, Buffer>>>;
}

/** `which` and `piece` choose among the existing ones. */
type Step =
  | { kind: "begin"; repository: Repository }
  | { kind: "append"; which: number; piece: number; isMisplaced: boolean }
  | { kind: "finish"; which: number; piece: number | null; algorithm: "sha256" | "sha512"; isWrong: boolean }
  | { kind: "finish twice" | "cancel"; which: number }
  | { kind: "put"; repository: Repository; piece: number }
  | { kind: "mount" | "delete"; repository: Repository; which: number }
  | { kind: "restart" };

/** Few, so that the same content comes again; some are kept in the database, others in files. */
const PIECES = ["", "a", "bc", "x".repeat(4_000), "y".repeat(5_000), "z".repeat(300_000)].map((text) =>
  Buffer.from(text),
);
const which = fc.nat(3);
const piece = fc.nat(PIECES.length - 1);
const rarely = fc.nat(4).map((number) => number === 0);
const repository = fc.constantFrom<Repository>("web", "api");
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ kind: fc.constant("begin" as const), repository }),
  {
    weight: 6,
    arbitrary: fc.record({ kind: fc.constant("append" as const), which, piece, isMisplaced: rarely }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant("finish" as const),
      which,
      piece: fc.option(piece),
      algorithm: fc.constantFrom("sha256" as const, "sha512" as const),
      isWrong: rarely,
    }),
  },
  fc.record({ kind: fc.constantFrom("finish twice" as const, "cancel" as const), which }),
  fc.record({ kind: fc.constant("put" as const), repository, piece }),
  fc.record({ kind: fc.constantFrom("mount" as const, "delete" as const), repository, which }),
  fc.record({ kind: fc.constant("restart" as const) }),
);

const pick = <Item>(items: readonly Item[], number: number) => items[number % items.length];
/** One of the last uploads: most of those before have ended. */
const pickUpload = ({ uploads }: Model, number: number) => pick(uploads.slice(-4), number);
const pathOf = ({ repository, id }: ModelUpload) => `/v2/acme/${repository}/blobs/uploads/${id}`;

async function begin({ ask }: TestClient, model: Model, repository: Repository) {
  const begun = await ask("POST", `/v2/acme/${repository}/blobs/uploads/`);
  expect(begun.status).toBe(202);
  model.uploads.push({
    repository,
    id: String(begun.headers["docker-upload-uuid"]),
    content: Buffer.alloc(0),
  });
}

async function append(
  { ask }: TestClient,
  model: Model,
  { which, piece, isMisplaced }: Step & { kind: "append" },
) {
  const upload = pickUpload(model, which);
  const body = PIECES[piece];
  if (!upload || !body) return;
  const start = (upload.content?.length ?? 0) + (isMisplaced ? 1 : 0);
  const headers: Record<string, string> =
    body.length > 0 ? { "content-range": `${start}-${start + body.length - 1}` } : {};
  const { status } = await ask("PATCH", pathOf(upload), { body, headers });
  if (!upload.content) return expect(status).toBe(404);
  if (isMisplaced && body.length > 0) return expect(status).toBe(416);
  expect(status).toBe(202);
  upload.content = Buffer.concat([upload.content, body]);
}

async function finish({ ask }: TestClient, model: Model, end: Step & { kind: "finish" }) {
  const upload = pickUpload(model, end.which);
  if (!upload) return;
  const last = end.piece === null ? null : (PIECES[end.piece] ?? null);
  const whole = Buffer.concat([upload.content ?? Buffer.alloc(0), ...(last ? [last] : [])]);
  const digest = digestOf(end.isWrong ? Buffer.concat([whole, Buffer.from("!")]) : whole, end.algorithm);
  const path = `${pathOf(upload)}?digest=${digest}`;
  const { status, code } = await ask("PUT", path, last ? { body: last } : {});
  if (!upload.content) return expect([status, code]).toEqual([404, "BLOB_UPLOAD_UNKNOWN"]);
  upload.content = null;
  if (end.isWrong) return expect([status, code]).toEqual([400, "DIGEST_INVALID"]);
  expect(status).toBe(201);
  model.blobs[upload.repository].set(digest, whole);
}

async function finishTwice({ ask }: TestClient, model: Model, number: number) {
  const upload = pickUpload(model, number);
  if (!upload?.content) return;
  const digest = digestOf(upload.content);
  const both = await Promise.all([1, 2].map(() => ask("PUT", `${pathOf(upload)}?digest=${digest}`)));
  expect(both.map(({ status }: Answer) => status).toSorted()).toEqual([201, 404]);
  model.blobs[upload.repository].set(digest, upload.content);
  upload.content = null;
}

async function mount({ ask }: TestClient, model: Model, to: Repository, number: number) {
  const all = [...model.blobs.web, ...model.blobs.api];
  const [digest, content] = pick(all, number) ?? [];
  if (!digest || !content) return;
  const from = to === "web" ? "api" : "web";
  const { status, headers } = await ask(
    "POST",
    `/v2/acme/${to}/blobs/uploads/?mount=${digest}&from=acme/${from}`,
  );
  if (model.blobs[from].has(digest)) {
    expect(status).toBe(201);
    model.blobs[to].set(digest, content);
    return;
  }
  expect(status).toBe(202);
  model.uploads.push({ repository: to, id: String(headers["docker-upload-uuid"]), content: Buffer.alloc(0) });
}

async function run(client: TestClient, model: Model, step: Step): Promise<void> {
  const { ask, test } = client;
  switch (step.kind) {
    case "begin":
      return begin(client, model, step.repository);
    case "append":
      return append(client, model, step);
    case "finish":
      return finish(client, model, step);
    case "finish twice":
      return finishTwice(client, model, step.which);
    case "cancel": {
      const upload = pickUpload(model, step.which);
      if (!upload) return;
      expect((await ask("DELETE", pathOf(upload))).status).toBe(upload.content ? 204 : 404);
      upload.content = null;
      return;
    }
    case "put": {
      const body = PIECES[step.piece] ?? Buffer.alloc(0);
      const digest = digestOf(body);
      const path = `/v2/acme/${step.repository}/blobs/uploads/?digest=${digest}`;
      expect((await ask("POST", path, { body })).status).toBe(201);
      model.blobs[step.repository].set(digest, body);
      return;
    }
    case "mount":
      return mount(client, model, step.repository, step.which);
    case "delete": {
      const mine = model.blobs[step.repository];
      const digest = pick([...mine.keys()], step.which);
      if (digest === undefined) return;
      expect((await ask("DELETE", `/v2/acme/${step.repository}/blobs/${digest}`)).status).toBe(202);
      mine.delete(digest);
      return;
    }
    case "restart":
      return test.restart();
  }
}

async function check(client: TestClient, model: Model): Promise<void> {
  const { ask, test, files, organizationId, logged } = client;
  const references = new Map<string, number>();
  const sizes = new Map<string, number>();
  for (const name of ["web", "api"] as const)
    for (const [digest, content] of model.blobs[name]) {
      references.set(digest, (references.get(digest) ?? 0) + 1);
      sizes.set(digest, content.length);
      const got = await ask("GET", `/v2/acme/${name}/blobs/${digest}`);
      expect([got.status, got.body.equals(content)]).toEqual([200, true]);
    }
  let pending = 0;
  for (const upload of model.uploads) {
    const told = await ask("GET", pathOf(upload));
    expect(told.status).toBe(upload.content ? 204 : 404);
    if (upload.content) expect(told.headers["range"]).toBe(`0-${Math.max(0, upload.content.length - 1)}`);
    pending += upload.content?.length ?? 0;
  }
  await collectNow(test.collector);
  const { db } = test.database;
  const rows = await db.selectFrom("blobs").select(["digest", "reference_count", "place"]).execute();
  expect(new Map(rows.map((row) => [row.digest, row.reference_count]))).toEqual(references);
  const parts = await db.selectFrom("registry_upload_parts").select("place").execute();
  const places = [...rows, ...parts].flatMap(({ place }) => (place === null ? [] : [place]));
  expect(
    files()
      .map((file) => file.slice(-32))
      .toSorted(),
  ).toEqual(places.toSorted());
  const quota = createQuota({ database: test.database, clock: Date.now, quotaBytes: 1e12, log: consoleLog });
  const stored = [...sizes.values()].reduce((sum, size) => sum + size, 0);
  expect(await quota.used(organizationId)).toBe(stored + pending);
  expect(logged).toEqual([]);
}

/** So that the next run begins with nothing, even after one that failed. */
async function clear({ test: { database }, files }: TestClient): Promise<void> {
  for (const table of [
    "registry_blobs",
    "registry_uploads",
    "registry_upload_parts",
    "blobs",
    "blob_contents",
  ] as const)
    await database.db.deleteFrom(table).execute();
  for (const file of files()) rmSync(file);
}

describe.each(testDatabaseKinds)("%s", (kind) => {
  test("random uploads", { timeout: longer(300_000) }, async () => {
    const client = await openTestClient(kind);
    onTestFinished(client.close);
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 10, maxLength: 40 }), async (steps) => {
        const model: Model = { uploads: [], blobs: { web: new Map(), api: new Map() } };
        for (const name of ["web", "api"] as const) await begin(client, model, name);
        try {
          for (const each of steps) await run(client, model, each);
          await check(client, model);
        } finally {
          await clear(client);
        }
      }),
      { numRuns: longer(40) },
    );
  });
});
