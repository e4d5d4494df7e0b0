import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import type { Attack, Stage } from "../attack.ts";
import { addDocuments, countDocuments, finish, numbered, read, type Task } from "../documents.ts";
import { runKills } from "../kills.ts";
import { openPowerDisk, type PowerDisk } from "../power-disk.ts";
import {
  ask as askRegistry,
  digestOf,
  emptyIndex,
  makeRepository,
  OCI_INDEX,
  putManifest,
} from "../registry-client.ts";
import { json, send, type Sent } from "../requests.ts";
import type { RunningServer } from "../server-process.ts";
import { asOwner } from "../sign-in.ts";

const WRITERS = ["telemetry", "cache", "accounts", "registry", "index-writes", "swaps"];
/** How many of them run in the short form: the server's own cuts have something of each kind. */
const SHORT_WRITERS = 2;
const CUTS_OF_EACH = { short: 1, usual: 5, long: 34 };
const ENTRY = "/cache/gradle/00000000000000000000000000000036";
const LAYER_BYTES = 200_000;

export const powerCuts: Attack = {
  item: 36,
  name: "power cuts",
  bound:
    "What was acknowledged is there after all that was not synced is lost: accounts, revocations, entries, images, documents, telemetry, the secret key.",
  async run(stage) {
    const disk = openPowerDisk();
    if (!disk) return stage.notTried("a power cut", "this machine mounts no image of a disk", "root");
    try {
      await cutServer(stage, disk);
      const most = stage.isLong ? CUTS_OF_EACH.long : stage.isShort ? CUTS_OF_EACH.short : CUTS_OF_EACH.usual;
      const writers = stage.isShort ? WRITERS.slice(0, SHORT_WRITERS) : WRITERS;
      for (const name of writers) await runKills(stage, name, { most, disk });
    } finally {
      disk.close();
    }
  },
};

/** The whole server: right after its first start, right after answers of each kind, and as it starts on the remains. */
async function cutServer(stage: Stage, disk: PowerDisk): Promise<void> {
  const { dataDir } = disk;
  const cut = async (server: RunningServer) => {
    await server.kill();
    disk.cut();
  };
  await cut(await stage.server({ dataDir }));
  const first = await stage.server({ dataDir });
  const before = await fill(stage, first);
  await cut(first);
  const second = await stage.server({ dataDir });
  const { ok } = await compare(stage, second, before);
  await cut(second);
  const third = await stage.server({ dataDir });
  const again = await compare(stage, third, before);
  await third.kill();
  stage.report(
    "power cuts of the server",
    `${ok} and ${again.ok} of ${again.all} kinds of answers held after 3 cuts`,
  );
}

interface Written {
  kept: string;
  revoked: string;
  base: string;
  layer: Buffer;
  entry: Buffer;
  task: number;
}

async function fill(stage: Stage, server: RunningServer): Promise<Written> {
  const repository = await makeRepository(server, "web");
  const { base } = repository;
  const [kept, revoked] = [await makeToken(server, "kept"), await makeToken(server, "revoked")];
  const [layer, entry] = [randomBytes(LAYER_BYTES), randomBytes(LAYER_BYTES)];
  const expect = async (what: string, sent: Promise<{ status: number; body: Buffer }>) => {
    const { status, body } = await sent;
    stage.check(status >= 200 && status < 300, `${what}: ${status} ${body.toString()}`);
  };
  const post: Sent = {
    method: "POST",
    path: `${base}/blobs/uploads/?digest=${digestOf(layer)}`,
    body: layer,
  };
  await expect("a layer", askRegistry(server, post));
  await expect("an index", askRegistry(server, putManifest(repository, "latest", emptyIndex())));
  await expect(
    "an entry",
    send(server.port, {
      method: "PUT",
      path: ENTRY,
      body: entry,
      headers: { authorization: `Bearer ${kept.secret}` },
    }),
  );
  await expect("a revocation", call(server, "TokenService/Revoke", { token_id: revoked.id }));
  await expect(
    "an answer",
    send(server.port, json("/feedback", { path: "/docs", answer: "yes", text: "of the cut" })),
  );
  const task = read<Task>(await addDocuments(server, "cut", numbered(10, "x"))).taskUid ?? -1;
  return { kept: kept.secret, revoked: revoked.secret, base, layer, entry, task };
}

const call = (server: RunningServer, method: string, body: object, headers: Sent["headers"] = asOwner) =>
  send(server.port, json(`/api/millrace.v1.${method}`, body, { headers: { ...headers } }));

async function makeToken(server: RunningServer, name: string): Promise<{ id: string; secret: string }> {
  const answer = await call(server, "TokenService/Create", { name, type: "org" });
  const { token, secret } = read<{ token: { id: string }; secret: string }>(answer);
  return { id: token?.id ?? "", secret: secret ?? "" };
}

async function compare(stage: Stage, server: RunningServer, written: Written) {
  const { kept, revoked, base, layer, entry, task } = written;
  const bearer = (secret: string) => ({ authorization: `Bearer ${secret}` });
  const whoAmI = async (secret: string) =>
    (await call(server, "AccountService/WhoAmI", {}, bearer(secret))).status;
  const blob = await askRegistry(server, { path: `${base}/blobs/${digestOf(layer)}` });
  const manifest = await askRegistry(server, {
    path: `${base}/manifests/latest`,
    headers: { accept: OCI_INDEX },
  });
  const hit = await send(server.port, { path: ENTRY, headers: bearer(kept) });
  const held = {
    "a token": (await whoAmI(kept)) === 200,
    "a revocation": (await whoAmI(revoked)) === 401,
    "a layer": blob.status === 200 && blob.body.equals(layer),
    "an index": manifest.status === 200 && manifest.body.toString() === emptyIndex(),
    "an entry": hit.status === 200 && hit.body.equals(entry),
    "an answer": countAnswers(server.dataDir) === 1,
    documents:
      (await finish(server, task))?.status === "succeeded" && (await countDocuments(server, "cut")) === 10,
  };
  for (const [what, is] of Object.entries(held)) stage.check(is, `${what} did not survive a power cut`);
  const all = Object.values(held);
  return { ok: all.filter(Boolean).length, all: all.length };
}

function countAnswers(dataDir: string): number {
  const db = new DatabaseSync(join(dataDir, "telemetry.sqlite"));
  try {
    return Number(
      db.prepare("SELECT count(*) AS count FROM feedback WHERE text = 'of the cut'").get()?.["count"],
    );
  } finally {
    db.close();
  }
}
