/**
 * The process that `npm start` starts, on copies of folders (and PostgreSQL) that landings have left: with SQLite the newest folder
 * of each form of the tables and of the search's files, with PostgreSQL the oldest and the newest of them. `EVERY_CASE`, which
 * `npm run test:long` sets, adds the others. `src/server/database/upgrade.test.ts` opens all that have tables, on both, without
 * a process.
 *
 * 1. It says that it is ready; projects are unchanged, and one more can be made; a token of that landing still works.
 * 2. Documents in the search are found, by words and by vectors, webhooks are there, and no file was set aside as unusable.
 * 3. This also holds after a second start (the oldest and the newest; with `EVERY_CASE` all).
 * 4. A folder whose tables were changed ends the start with 1 and a message that says what is missing and what to do.
 */
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { describe, expect, test } from "vitest";
import { availableDatabaseKinds } from "#platform/testing/database.ts";
import { json, send } from "../attack/requests.ts";
import { type RunningServer, startServer } from "../attack/server-process.ts";
import { type Landing, readLandings } from "../fixtures/landings/landing-file.ts";
import { openLanding, type OpenedLanding } from "../fixtures/landings/open-landing.ts";
import { ADMIN_KEY, BOOKS, COLOURS, OWNER_TOKEN, WEBHOOK } from "../fixtures/landings/walk-landing.ts";

const TIMEOUT_MS = 300_000;

function startOn({ env: { DATA_DIR, ...database } }: OpenedLanding): Promise<RunningServer> {
  const keys = { MILLRACE_OWNER_TOKEN: OWNER_TOKEN, SEARCH_ADMIN_KEY: ADMIN_KEY, MILLRACE_BUILDER_PORT: "0" };
  return startServer({ dataDir: DATA_DIR, env: { ...keys, ...database } });
}

async function call(server: RunningServer, method: string, body: object = {}, token = OWNER_TOKEN) {
  const headers = { authorization: `Bearer ${token}` };
  const { status, body: bytes } = await send(
    server.port,
    json(`/api/millrace.v1.${method}`, body, { headers }),
  );
  return { status, body: JSON.parse(bytes.toString()) as Record<string, unknown> };
}

async function projectsOf(server: RunningServer): Promise<string[]> {
  const { status, body } = await call(server, "ProjectService/List");
  expect([status, body]).toEqual([200, expect.objectContaining({})]);
  const { projects = [] } = body as { projects?: { name: string }[] };
  return projects.map(({ name }) => name).toSorted();
}

async function findBooks(server: RunningServer): Promise<unknown> {
  const headers = { authorization: `Bearer ${ADMIN_KEY}` };
  const sent = json("/search/indexes/books/search", { q: "Floss" }, { headers });
  return (JSON.parse((await send(server.port, sent)).body.toString()) as { hits: unknown }).hits;
}

const hasVectors = ({ files }: Landing) => "search/webhooks.json" in files;

async function expectVectors(server: RunningServer): Promise<void> {
  const ask = async (sent: Parameters<typeof send>[1]) =>
    JSON.parse((await send(server.port, sent)).body.toString()) as unknown;
  const headers = { authorization: `Bearer ${ADMIN_KEY}` };
  const query = { vector: [0, 0, 1], hybrid: { embedder: "hand" }, limit: 1 };
  expect(await ask(json("/search/indexes/colours/search", query, { headers }))).toMatchObject({
    hits: [{ name: COLOURS[1]?.name }],
  });
  expect(await ask({ path: "/search/webhooks", headers })).toMatchObject({
    results: [{ url: WEBHOOK.url, headers: { authorization: expect.stringContaining("XXX") } }],
  });
}

/** The oldest landings kept documents without a catalog. */
const formOf = (landing: Landing) =>
  `${landing.form}, catalog: ${"search/catalog.sqlite" in landing.files}, vectors: ${hasVectors(landing)}`;
/** A later landing of the same form replaces the one before. */
const newestOfEachForm = (landings: readonly Landing[]) => [
  ...new Map(landings.map((landing) => [formOf(landing), landing])).values(),
];

const isEvery = Boolean(process.env["EVERY_CASE"]);

describe.each(availableDatabaseKinds)("%s", (kind) => {
  const all = readLandings(kind);
  const forms = newestOfEachForm(all);
  const ends = [forms.at(0)!, forms.at(-1)!];
  // Files of the search are the same with either database.
  const chosen = isEvery ? all : kind === "sqlite" ? forms : ends;
  test.each(chosen)("1. to 3. $name", { timeout: TIMEOUT_MS }, async (landing) => {
    const place = await openLanding(landing);
    const hasRecords = landing.form > 0;
    const before = hasRecords ? ["api", "web"] : [];
    let server = await startOn(place);
    expect((await send(server.port, { path: "/readyz" })).status, server.output()).toBe(200);
    expect(await projectsOf(server)).toEqual(before);
    expect((await call(server, "ProjectService/Create", { name: "later" })).status).toBe(200);
    if (hasRecords) {
      const { status, body } = await call(server, "AccountService/WhoAmI", {}, landing.objects["ci_secret"]);
      expect([status, body["organization_id"]]).toEqual([200, landing.objects["organization"]]);
    }
    expect(await findBooks(server)).toMatchObject([BOOKS[0]]);
    if (hasVectors(landing)) await expectVectors(server);
    expect(await server.stop()).toBe(0);
    const files = readdirSync(place.env.DATA_DIR, { recursive: true, encoding: "utf8" });
    expect(files.filter((file) => file.includes("damaged"))).toEqual([]);
    if (!isEvery && !ends.includes(landing)) return place.remove();

    server = await startOn(place);
    expect((await send(server.port, { path: "/readyz" })).status, server.output()).toBe(200);
    expect(await projectsOf(server)).toEqual([...before, "later"].toSorted());
    expect(await findBooks(server)).toMatchObject([BOOKS[0]]);
    if (hasVectors(landing)) await expectVectors(server);
    expect(await server.stop()).toBe(0);
    await place.remove();
  });
});

test("4. other tables", { timeout: TIMEOUT_MS }, async () => {
  const place = await openLanding(readLandings("sqlite").at(-1)!);
  const change = (statement: string) => {
    const db = new DatabaseSync(join(place.env.DATA_DIR, "millrace.db"));
    db.exec(statement);
    db.close();
  };
  change("ALTER TABLE tokens DROP COLUMN job_claims");
  await expect(startOn(place)).rejects.toThrow(
    /ended with 1 before it listened:[^]*millrace\.db: Its tables do not match this release: the column tokens\.job_claims is missing\. Nothing was changed\. Restore a backup/,
  );
  change("ALTER TABLE tokens ADD COLUMN job_claims text");
  const server = await startOn(place);
  expect(await server.stop()).toBe(0);
  await place.remove();
});
