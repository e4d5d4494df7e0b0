/**
 * Kills a server at random points while organizations, projects, tokens and invitations are created through the API,
 * each with an `Idempotency-Key`, restarts it on the same folder, and repeats unanswered requests.
 */
import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { Agent, request } from "node:http";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import type { PowerDisk } from "../power-disk.ts";
import { createRandom, type KillOptions, type KillReport, openKillFolder } from "./kill.ts";

/** Concurrent requests. */
const SENDERS = 8;
/** The most answers before a process is killed. */
const MAX_ANSWERS = 60;
/** Answered creates that are repeated after each restart, one of each kind at least. */
const REPEATED = 6;
const START_MS = 60_000;
const ANSWER_MS = 20_000;
const OWNER_TOKEN = "mr_user_of-the-kill-tests-0123456789abcdef";

/** Tables, and where each create finds the name that it gave. */
const TABLES = { organizations: "name", projects: "name", tokens: "name", invitations: "mail" } as const;
type Table = keyof typeof TABLES;

interface Create {
  method: string;
  body: { [name: string]: string };
  idempotencyKey: string;
  table: Table;
  name: string;
}

interface Answered {
  create: Create;
  /** The whole body. */
  answer: string;
}

export async function run({ kills, seed, log, disk }: KillOptions): Promise<KillReport> {
  const { dataDir, remove } = openKillFolder("accounts", disk);
  const random = createRandom(seed);
  const work: Work = {
    dataDir,
    disk,
    random,
    next: createCreates(random),
    answered: [],
    waiting: [],
    lost: [],
  };
  try {
    for (let kill = 1; kill <= kills; kill++) {
      await sendAndKill(work);
      if (kill % 20 === 0 || kill === kills)
        log(`  ${kill} of ${kills} kills, ${work.answered.length} acknowledged`);
    }
    return {
      kills,
      acknowledged: work.answered.length,
      lost: [...work.lost, ...findLost(join(dataDir, "millrace.db"), work)],
    };
  } finally {
    remove();
  }
}

interface Work {
  dataDir: string;
  disk: PowerDisk | undefined;
  random: () => number;
  next: () => Create;
  answered: Answered[];
  /** Sent and not answered: they may have happened. */
  waiting: Create[];
  lost: string[];
}

async function sendAndKill(work: Work): Promise<void> {
  const { random, disk } = work;
  const child = fork(join(import.meta.dirname, "accounts-server.ts"), [work.dataDir, OWNER_TOKEN], {
    execArgv: ["--disable-warning=ExperimentalWarning"],
  });
  const ended = once(child, "exit");
  const agent = new Agent({ keepAlive: true, maxSockets: SENDERS });
  try {
    const port = await portOf(child);
    await repeat(work, (create) => post(agent, port, create));
    let answersLeft = 1 + Math.floor(random() * MAX_ANSWERS);
    // The kill may hit any step of the next write, not only the moment after an answer.
    const delayMs = random() * 3;
    const send = async () => {
      while (answersLeft > 0) {
        const create = work.next();
        const answer = await post(agent, port, create);
        if (answer === null) return void work.waiting.push(create);
        note(work, create, answer);
        answersLeft -= 1;
        if (answersLeft === 0) setTimeout(() => child.kill("SIGKILL"), delayMs);
      }
    };
    await Promise.all(Array.from({ length: SENDERS }, send));
  } finally {
    child.kill("SIGKILL");
    await ended;
    disk?.cut();
    agent.destroy();
  }
}

interface Received {
  status: number;
  body: string;
}

/** Repeats requests that were not answered, and some that were: those must get the same answer. */
async function repeat(work: Work, ask: (create: Create) => Promise<Received | null>): Promise<void> {
  for (const create of work.waiting.splice(0)) {
    const answer = await ask(create);
    if (answer) note(work, create, answer);
  }
  for (let count = 0; count < Math.min(REPEATED, work.answered.length); count++) {
    const { create, answer } = work.answered[Math.floor(work.random() * work.answered.length)]!;
    const again = await ask(create);
    if (again?.body !== answer)
      work.lost.push(
        `the answer of ${create.method} ${create.name}: ${again?.status ?? "none"} ${again?.body}`,
      );
  }
}

function note(work: Work, create: Create, { status, body }: Received): void {
  if (status === 200) work.answered.push({ create, answer: body });
  else work.lost.push(`${create.method} ${create.name}: ${status} ${body}`);
}

async function portOf(child: ChildProcess): Promise<number> {
  // The server's first message.
  const [message] = (await once(child, "message", { signal: AbortSignal.timeout(START_MS) })) as [
    { port: number },
  ];
  return message.port;
}

/** @returns null when the process was gone first */
function post(
  agent: Agent,
  port: number,
  { method, body, idempotencyKey }: Create,
): Promise<Received | null> {
  const text = JSON.stringify(body);
  return new Promise((resolve) => {
    const headers = {
      authorization: `Bearer ${OWNER_TOKEN}`,
      "content-type": "application/json",
      "content-length": Buffer.byteLength(text),
      "idempotency-key": idempotencyKey,
    };
    const path = `/api/millrace.v1.${method}`;
    const signal = AbortSignal.timeout(ANSWER_MS);
    const sent = request(
      { agent, port, host: "127.0.0.1", path, method: "POST", headers, signal },
      (answer) => {
        const chunks: Buffer[] = [];
        answer.on("data", (chunk: Buffer) => chunks.push(chunk));
        answer.once("end", () =>
          resolve({ status: answer.statusCode ?? 0, body: Buffer.concat(chunks).toString() }),
        );
        answer.once("error", () => resolve(null));
      },
    );
    sent.once("error", () => resolve(null));
    sent.end(text);
  });
}

/** All kinds of creates, each with its own name. */
function createCreates(random: () => number): () => Create {
  let number = 0;
  const kinds: [share: number, make: (name: string) => Omit<Create, "idempotencyKey">][] = [
    // A person may have 200 organizations, and an organization 500 invitations.
    [
      0.02,
      (name) => ({ method: "OrganizationService/Create", body: { name }, table: "organizations", name }),
    ],
    [0.04, inviting],
    [0.5, (name) => ({ method: "ProjectService/Create", body: { name }, table: "projects", name })],
    [1, (name) => ({ method: "TokenService/Create", body: { name, type: "org" }, table: "tokens", name })],
  ];
  return () => {
    const name = `n${++number}`;
    const dice = random();
    const [, make] = kinds.find(([share]) => dice < share) ?? kinds.at(-1)!;
    return { ...make(name), idempotencyKey: `key-${name}` };
  };
}

function inviting(name: string): Omit<Create, "idempotencyKey"> {
  const mail = `${name}@acme.example`;
  return {
    method: "OrganizationService/CreateInvitation",
    body: { mail, role: "member" },
    table: "invitations",
    name: mail,
  };
}

/** In words: answered objects that are missing or there twice, and objects that are incomplete. */
function findLost(file: string, { answered }: Work): string[] {
  const db = new DatabaseSync(file);
  try {
    const lost: string[] = [];
    for (const [table, column] of Object.entries(TABLES)) {
      const rows = db.prepare(`SELECT ${column} AS name, count(*) AS count FROM ${table} GROUP BY 1`).all();
      const counts = new Map(rows.map(({ name, count }) => [String(name), Number(count)]));
      for (const { create } of answered.filter((one) => one.create.table === table))
        if (counts.get(create.name) !== 1)
          lost.push(`${table} ${create.name}: ${counts.get(create.name) ?? 0} rows`);
      for (const [name, count] of counts) if (count > 1) lost.push(`${table} ${name}: ${count} rows`);
    }
    const halfMade = db
      .prepare(
        "SELECT name FROM organizations WHERE id NOT IN (SELECT organization_id FROM members WHERE role = 'owner')",
      )
      .all();
    lost.push(...halfMade.map(({ name }) => `organization ${String(name)} has no owner`));
    const unnoted = db
      .prepare("SELECT id FROM projects WHERE id NOT IN (SELECT target_id FROM audit_events)")
      .all();
    lost.push(...unnoted.map(({ id }) => `project ${String(id)} is not in the audit log`));
    const check = String(db.prepare("PRAGMA integrity_check").get()?.["integrity_check"]);
    if (check !== "ok") lost.push(`the file is damaged: ${check}`);
    return lost;
  } finally {
    db.close();
  }
}
