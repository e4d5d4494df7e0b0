/**
 * Kills the telemetry process at random points while it receives all kinds of data, restarts it on the same folder, and
 * compares the acknowledged data with the database.
 */
import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { Agent, request } from "node:http";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { gzipSync } from "node:zlib";
import { openDatabase } from "#telemetry/testing/database.ts";
import type { PowerDisk } from "../power-disk.ts";
import { createRandom, type KillOptions, type KillReport, openKillFolder } from "./kill.ts";

/** Concurrent requests. */
const senders = 8;
/** The most answers before a process is killed. */
const maxAnswers = 120;
const startMilliseconds = 60_000;
const answerMilliseconds = 20_000;

interface Sent {
  path: string;
  body: string | Buffer;
  /** The table that it must be in, and its name there. */
  table: Table;
  keys: string[];
}

type Table = "events" | "snapshots" | "errors" | "feedback";

export async function run({ kills, seed, log, disk }: KillOptions): Promise<KillReport> {
  const { dataDir, remove } = openKillFolder("telemetry", disk);
  const file = join(dataDir, "telemetry.sqlite");
  const random = createRandom(seed);
  const acknowledged = new Map<Table, Set<string>>();
  let count = 0;
  const acknowledge = ({ table, keys }: Sent) => {
    const set = acknowledged.get(table) ?? new Set();
    acknowledged.set(table, set);
    for (const key of keys) set.add(key);
    count += keys.length;
  };
  try {
    const next = createRequests(random);
    for (let kill = 1; kill <= kills; kill++) {
      await sendAndKill({ dataDir, disk, next, acknowledge, random });
      if (kill % 20 === 0 || kill === kills) log(`  ${kill} of ${kills} kills, ${count} acknowledged`);
    }
    return { kills, acknowledged: count, lost: findLost(file, acknowledged) };
  } finally {
    remove();
  }
}

interface Round {
  dataDir: string;
  disk: PowerDisk | undefined;
  next: () => Sent;
  acknowledge: (sent: Sent) => void;
  random: () => number;
}

async function sendAndKill({ dataDir, disk, next, acknowledge, random }: Round): Promise<void> {
  const child = fork(join(import.meta.dirname, "telemetry-server.ts"), [dataDir], {
    execArgv: ["--disable-warning=ExperimentalWarning"],
  });
  const ended = once(child, "exit");
  const agent = new Agent({ keepAlive: true, maxSockets: senders });
  try {
    const port = await portOf(child);
    let answersLeft = 1 + Math.floor(random() * maxAnswers);
    // The kill may hit any step of the next write, not only the moment after an answer.
    const turns = Math.floor(random() * 20);
    const kill = async () => {
      for (let turn = 0; turn < turns; turn++) await new Promise((resolve) => setImmediate(resolve));
      child.kill("SIGKILL");
    };
    const send = async () => {
      while (answersLeft > 0) {
        const sent = next();
        const status = await post(agent, port, sent);
        if (status === null) return;
        if (status < 300) acknowledge(sent);
        answersLeft -= 1;
        if (answersLeft === 0) void kill();
      }
    };
    await Promise.all(Array.from({ length: senders }, send));
  } finally {
    child.kill("SIGKILL");
    await ended;
    disk?.cut();
    agent.destroy();
  }
}

async function portOf(child: ChildProcess): Promise<number> {
  // The server's first message.
  const [message] = (await once(child, "message", { signal: AbortSignal.timeout(startMilliseconds) })) as [
    { port: number },
  ];
  return message.port;
}

/** @returns the status, null when the process was gone first */
function post(agent: Agent, port: number, { path, body }: Sent): Promise<number | null> {
  return new Promise((resolve) => {
    const headers = { "content-type": "application/json", "content-length": Buffer.byteLength(body) };
    const options = { agent, port, host: "127.0.0.1", path, method: "POST", headers };
    const signal = AbortSignal.timeout(answerMilliseconds);
    const sent = request({ ...options, signal }, (response) => {
      response.resume();
      response.once("end", () => resolve(response.statusCode ?? null));
      response.once("error", () => resolve(null));
    });
    sent.once("error", () => resolve(null));
    sent.end(body);
  });
}

/** All kinds of stored data, each with its own name. */
function createRequests(random: () => number): () => Sent {
  let number = 0;
  const id = "01a1fc2d-26f7-7798-aea1-fa75d352d7ea";
  const nextKey = () => `01a1fc2d-0000-7000-8000-${String(++number).padStart(12, "0")}`;
  const kinds: (() => Sent)[] = [
    () => {
      const keys = Array.from({ length: 1 + Math.floor(random() * 50) }, nextKey);
      const batch = keys.map((uuid) => ({
        event: "search",
        uuid,
        distinct_id: id,
        properties: { query: uuid },
      }));
      return { path: "/ingest/e/", body: gzipSync(JSON.stringify({ batch })), table: "events", keys };
    },
    () => {
      const uuid = nextKey();
      const events = [{ type: 2, timestamp: 1, data: "x".repeat(Math.floor(random() * 20_000)) }];
      const properties = { distinct_id: id, $session_id: "session", $snapshot_data: events };
      const body = JSON.stringify([{ event: "$snapshot", uuid, properties }]);
      return { path: "/ingest/s/", body, table: "snapshots", keys: [uuid] };
    },
    () => {
      const event_id = nextKey().replaceAll("-", "");
      const event = { event_id, exception: { values: [{ type: "Error", value: event_id }] } };
      const body = `{}\n{"type":"event"}\n${JSON.stringify(event)}\n`;
      return { path: "/errors/envelope", body, table: "errors", keys: [event_id] };
    },
    () => {
      const text = nextKey();
      const body = JSON.stringify({ path: "/docs", answer: "yes", text });
      return { path: "/feedback", body, table: "feedback", keys: [text] };
    },
    () => {
      const name = nextKey();
      const click = { eventType: "click", eventName: name, index: "docs", userToken: "t", objectIDs: ["1"] };
      const body = JSON.stringify({ events: [click] });
      return { path: "/insights/1/events", body, table: "events", keys: [name] };
    },
  ];
  return () => {
    const kind = kinds[Math.floor(random() * kinds.length)] ?? kinds[0];
    if (!kind) throw new Error("There is nothing to send.");
    return kind();
  };
}

const columns: { [table in Table]: string } = {
  events: "CASE source WHEN 'insights' THEN name ELSE uuid END",
  snapshots: "uuid",
  errors: "eventId",
  feedback: "text",
};

/** Opens the file as a start does; if it was set aside, everything in it is lost. */
function findLost(file: string, acknowledged: ReadonlyMap<Table, ReadonlySet<string>>): string[] {
  const { db, setAside } = openDatabase(file);
  try {
    const lost = setAside === null ? [] : [setAside];
    for (const [table, keys] of acknowledged) lost.push(...missingIn(db, table, keys));
    return lost;
  } finally {
    db.close();
  }
}

function missingIn(db: DatabaseSync, table: Table, keys: ReadonlySet<string>): string[] {
  const rows = db.prepare(`SELECT ${columns[table]} AS name FROM ${table}`).all();
  const kept = new Set(rows.map((row) => String(row["name"])));
  // A request that was sent once is stored once, even if a killed process did not acknowledge it.
  const twice =
    rows.length === kept.size ? [] : [`${table}: ${rows.length - kept.size} rows are there twice`];
  return [...[...keys].filter((key) => !kept.has(key)).map((key) => `${table} ${key}`), ...twice];
}
