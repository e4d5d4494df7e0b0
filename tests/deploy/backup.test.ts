/**
 * Backups of a real server that takes documents, events and projects all the time, by the real command:
 * 1. Each backup has everything that was acknowledged before it began, and a server starts on it with every index in
 *    order.
 * 2. Everything in a backup's catalog is in the backup.
 * 3. The server continues meanwhile: no write is refused.
 */
import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { expect, test } from "vitest";
import { root } from "#server/pages/build-folders.ts";
import { CATALOG_FILE, filesNamedBy } from "#search-server/index.ts";
import { addDocuments, countDocuments, finish, numbered, read, type Task } from "../attack/documents.ts";
import { json, send } from "../attack/requests.ts";
import { newDataDir, type RunningServer, startServer } from "../attack/server-process.ts";
import { asOwner } from "../attack/sign-in.ts";

const BACKUPS = 3;
const INDEXES = ["books", "films"];
const DOCUMENTS = 50;
const PAUSE_MS = 20;

/** Writes that the server has acknowledged. */
interface Written {
  documents: Map<string, number>;
  events: number;
  projects: number;
  refused: string[];
}

/** Sends batches in sequence to one index, and waits for each. */
async function writeDocuments(server: RunningServer, uid: string, written: Written, isOver: () => boolean) {
  for (let round = 0; !isOver(); round += 1) {
    const answer = await addDocuments(server, uid, numbered(DOCUMENTS, "word", round * DOCUMENTS));
    const task = await finish(server, read<Task>(answer).taskUid);
    if (task?.status !== "succeeded") written.refused.push(`${uid}: ${answer.status} ${task?.status}`);
    written.documents.set(uid, (round + 1) * DOCUMENTS);
  }
}

async function writeEvents(server: RunningServer, written: Written, isOver: () => boolean) {
  while (!isOver()) {
    const event = {
      event: "cta",
      uuid: randomUUID(),
      distinct_id: "reader",
      timestamp: new Date().toISOString(),
      properties: { label: "start", $session_id: "session", $current_url: "http://localhost/docs" },
    };
    const answer = await send(server.port, json("/ingest/e/", { api_key: "millrace", batch: [event] }));
    if (answer.status === 200) written.events += 1;
    else written.refused.push(`event: ${answer.status} ${answer.failure}`);
  }
}

async function createProjects(server: RunningServer, written: Written, isOver: () => boolean) {
  while (!isOver()) {
    const project = { name: `p${written.projects}` };
    const sent = json("/api/millrace.v1.ProjectService/Create", project, { headers: asOwner });
    const answer = await send(server.port, sent);
    if (answer.status === 200) written.projects += 1;
    else written.refused.push(`project: ${answer.status} ${answer.body.toString()}`);
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
  }
}

async function runCommand(script: string, folder: string, dataDir: string) {
  const child = spawn(process.execPath, ["--disable-warning=ExperimentalWarning", script, folder], {
    cwd: root,
    env: { ...process.env, DATA_DIR: dataDir },
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk) => (output += String(chunk)));
  const [code] = (await once(child, "close")) as [number | null];
  expect(code, output).toBe(0);
  return output;
}

test("1. to 3. backups of a busy server", { timeout: 300_000 }, async () => {
  const place = mkdtempSync(join(tmpdir(), "backup-"));
  const dataDir = newDataDir();
  const server = await startServer({ dataDir, env: { RATE_LIMIT_FACTOR: "0" } });
  const written: Written = { documents: new Map(), events: 0, projects: 0, refused: [] };
  let isOver = false;
  const writing = [
    ...INDEXES.map((uid) => writeDocuments(server, uid, written, () => isOver)),
    writeEvents(server, written, () => isOver),
    createProjects(server, written, () => isOver),
  ];
  const before: Pick<Written, "documents" | "events" | "projects">[] = [];
  // Some data of each kind is there before the first backup.
  while (written.documents.size < INDEXES.length || written.events === 0 || written.projects === 0)
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
  for (let at = 0; at < BACKUPS; at += 1) {
    const { events, projects } = written;
    before.push({ documents: new Map(written.documents), events, projects });
    await runCommand("src/server/backup.ts", join(place, String(at)), dataDir);
  }
  isOver = true;
  await Promise.all(writing);
  expect(await server.stop()).toBe(0);
  expect(written.refused).toEqual([]);

  for (const [at, { documents, events, projects }] of before.entries()) {
    const search = join(place, String(at), "data", "search");
    const named = filesNamedBy(join(search, CATALOG_FILE));
    expect(named.length).toBeGreaterThanOrEqual(INDEXES.length);
    expect(named.filter((file) => !existsSync(join(search, file)))).toEqual([]);

    const restored = join(place, `restored-${at}`);
    await runCommand("src/server/restore.ts", join(place, String(at)), restored);
    const next = await startServer({ dataDir: restored });
    for (const uid of INDEXES)
      expect(await countDocuments(next, uid)).toBeGreaterThanOrEqual(documents.get(uid) ?? 0);
    expect(read(await send(next.port, { path: "/health" }))).toEqual({ status: "available" });
    const whoAmI = json("/api/millrace.v1.AccountService/WhoAmI", {}, { headers: asOwner });
    expect((await send(next.port, whoAmI)).status).toBe(200);
    expect(await next.stop()).toBe(0);
    const records = new DatabaseSync(join(restored, "millrace.db"), { readOnly: true });
    const created = records.prepare("SELECT count(*) AS n FROM projects").get()?.["n"];
    records.close();
    expect(Number(created)).toBeGreaterThanOrEqual(projects);
    const db = new DatabaseSync(join(restored, "telemetry.sqlite"), { readOnly: true });
    const count = db.prepare("SELECT count(*) AS n FROM events WHERE name = 'cta'").get()?.["n"];
    db.close();
    expect(Number(count)).toBeGreaterThanOrEqual(events);
  }
  for (const folder of [place, dataDir]) rmSync(folder, { recursive: true, force: true });
});
