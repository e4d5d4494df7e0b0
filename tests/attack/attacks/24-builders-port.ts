import type { TLSSocket } from "node:tls";
import {
  END_HEADERS,
  frame,
  headerBlock,
  PREFACE,
  requestLines,
  reset,
  settings,
  TYPE,
} from "#platform/http/raw-frames.ts";
import type { Attack } from "../attack.ts";
import {
  askBuilder,
  CONTROL,
  type Endpoint,
  openBuilders,
  openCall,
  openClient,
  openTls,
} from "../builders-client.ts";
import { openDescriptors } from "../memory.ts";
import { comesTrue } from "../processes.ts";
import { inParallel } from "../requests.ts";
import { type Scene, strangers } from "./24-builders-strangers.ts";

const MEBIBYTE = 1024 * 1024;
const NOTICE_MS = 20_000;
const STREAMS = 256;
/** Frames that are sent in one go. */
const BURST = 200;
const FORBIDDEN = ["Prune", "DiskUsage", "UpdateBuildHistory", "Solve/", "Session%2f"];
/** gRPC's status codes. */
const [OK, PERMISSION_DENIED, UNIMPLEMENTED] = [0, 7, 12];

export const buildersPort: Attack = {
  item: 24,
  name: "the builders' port",
  bound:
    "A client without a certificate of a running build reaches no builder; a client with one holds little memory, and other builds continue.",
  async run(stage) {
    const scene = { stage, ...(await openBuilders(stage)) };
    const { server, builders } = scene;
    const first = await builders.begin("evil");
    await strangers(scene);
    if (!first) return stage.notTried("clients with a certificate", "there is no BuildKit here", "download");
    await holdsBuild(scene, "before all others");
    const idle = openDescriptors(server.pid);
    await refusedCalls(scene, first);
    await connectionsWithoutNumber(scene, first);
    for (const [name, flood] of floods) await flooded(scene, first, { name, flood });
    await sessionsWithoutEnd(scene, first);
    await largeSolves(scene, first);
    await builders.finish(first);
    await endedBuild(scene, first);
    const isFree = await comesTrue(() => openDescriptors(server.pid) <= idle + 10, NOTICE_MS);
    stage.check(isFree, `${openDescriptors(server.pid) - idle} descriptors stay open`);
  },
};

/** A build of another client, in another project. */
async function holdsBuild({ stage, builders }: Scene, when: string): Promise<string> {
  const outcome = await builders.build("good");
  stage.check(outcome === "succeeded", `${when}: an ordinary build ${outcome}`);
  return outcome;
}

async function refusedCalls({ stage, builders: { port } }: Scene, endpoint: Endpoint): Promise<void> {
  const client = await openClient(port, endpoint);
  const statuses: number[] = [];
  for (const method of FORBIDDEN) statuses.push(await askBuilder(client, CONTROL + method));
  const isRefused = statuses.every((status) => status === UNIMPLEMENTED);
  stage.check(isRefused, `calls that are not for clients were answered ${statuses.join(", ")}`);
  const allowed = await askBuilder(client, `${CONTROL}ListWorkers`);
  stage.check(allowed === OK, `a call that is allowed was answered ${allowed}`);
  stage.report("calls that are not for clients", `${statuses.length} refused`);
  client.destroy();
}

async function connectionsWithoutNumber(scene: Scene, endpoint: Endpoint): Promise<void> {
  const { stage, server, builders } = scene;
  const count = stage.isShort ? 100 : 1000;
  const name = `${count} connections of one build`;
  const opened: (TLSSocket | null)[] = [];
  const { result, figure } = await stage.measure(server, name, async () => {
    await inParallel(count, 20, async () => void opened.push(await openTls(builders.port, endpoint)));
    return holdsBuild(scene, name);
  });
  const open = opened.filter((tls) => tls && !tls.destroyed).length;
  for (const tls of opened) tls?.destroy();
  stage.check(open <= 16, `${name}: ${open} stay open`);
  stage.report(name, `${open} stay open, an ordinary build ${result}`, figure);
}

const call = (path: string, more: Record<string, string> = {}) =>
  headerBlock(
    requestLines(path, { ":method": "POST", "content-type": "application/grpc", te: "trailers", ...more }),
  );

/** By name: the message that is sent repeatedly, made from its number. */
const floods = new Map<string, (at: number) => Buffer>([
  ["pings", () => frame(TYPE.ping, 0, 0, Buffer.alloc(8))],
  ["settings", () => settings({ 4: 1, 1: 0 })],
  [
    "rapid resets",
    (at) => {
      const lines = call(`${CONTROL}Session`, { "x-docker-expose-session-uuid": `r${at}` });
      return Buffer.concat([frame(TYPE.headers, END_HEADERS, 2 * at + 1, lines), reset(2 * at + 1)]);
    },
  ],
  [
    "headers without an end",
    (at) =>
      at === 0
        ? frame(TYPE.headers, 0, 1, call(`${CONTROL}Solve`))
        : frame(TYPE.continuation, 0, 1, headerBlock({ "x-more": "a".repeat(4000) })),
  ],
  [
    "empty data",
    (at) =>
      at === 0
        ? frame(
            TYPE.headers,
            END_HEADERS,
            1,
            call(`${CONTROL}Session`, { "x-docker-expose-session-uuid": "e" }),
          )
        : frame(TYPE.data, 0, 1),
  ],
]);

interface Flood {
  name: string;
  flood: (at: number) => Buffer;
}

async function flooded(scene: Scene, endpoint: Endpoint, { name, flood }: Flood): Promise<void> {
  const { stage, server, builders } = scene;
  const count = stage.isShort ? 20_000 : 200_000;
  const title = `${count} frames: ${name}`;
  const { result, figure } = await stage.measure(server, title, async () => {
    const tls = await openTls(builders.port, endpoint);
    if (!tls) return "no connection";
    tls.resume();
    tls.write(Buffer.concat([Buffer.from(PREFACE), settings()]));
    const closed = new Promise<void>((resolve) => tls.once("close", () => resolve()));
    for (let sent = 0; sent < count && !tls.destroyed; sent += BURST) {
      const frames = Array.from({ length: BURST }, (_, at) => flood(sent + at));
      const written = new Promise<void>((resolve) => tls.write(Buffer.concat(frames), () => resolve()));
      await Promise.race([written, closed]);
    }
    const end = tls.destroyed ? "ended" : "kept";
    const outcome = await holdsBuild(scene, title);
    tls.destroy();
    return `the connection was ${end}, an ordinary build ${outcome}`;
  });
  stage.check(name !== "rapid resets" || result.includes("was ended"), `${title}: ${result}`);
  stage.report(title, result, figure);
}

/** Each sends a little that looks like the endless listing of a folder. */
async function sessionsWithoutEnd(scene: Scene, endpoint: Endpoint): Promise<void> {
  const { stage, server, builders } = scene;
  const name = `${STREAMS} sessions without an end`;
  const { result, figure } = await stage.measure(server, name, async () => {
    const client = await openClient(builders.port, endpoint);
    const streams = Array.from({ length: STREAMS }, (_, at) =>
      openCall(client, `${CONTROL}Session`, { "x-docker-expose-session-uuid": `s${at}` }),
    );
    const junk = Buffer.alloc(16 * 1024, Buffer.from([0, 0, 0, 0, 9, 0x0a, 7, 1, 2, 3, 4, 5, 6, 7]));
    for (const stream of streams) stream.write(junk);
    const outcome = await holdsBuild(scene, name);
    client.destroy();
    return outcome;
  });
  stage.report(name, `an ordinary build ${result}`, figure);
}

/** With a million fields, with depth, with a length that is announced and never sent. */
async function largeSolves(scene: Scene, endpoint: Endpoint): Promise<void> {
  const { stage, server, builders } = scene;
  const { result, figure } = await stage.measure(server, "solves that are bombs", async () => {
    const client = await openClient(builders.port, endpoint);
    let deep = Buffer.alloc(0);
    for (let at = 0; at < 5000; at += 1)
      deep = Buffer.concat([Buffer.from([0x0a, ...varint(deep.length)]), deep]);
    const bombs = [Buffer.alloc(2_000_000, Buffer.from([0x22, 0])), deep, Buffer.alloc(4_000_000, 0xff)];
    const statuses: number[] = [];
    for (const bomb of bombs) statuses.push(await askBuilder(client, `${CONTROL}Solve`, bomb));
    const announced = Buffer.alloc(6);
    announced.writeUInt32BE(16 * MEBIBYTE, 1);
    for (let at = 0; at < 100; at += 1) openCall(client, `${CONTROL}Solve`).write(announced);
    const outcome = await holdsBuild(scene, "solves that are bombs");
    client.destroy();
    return { statuses, outcome };
  });
  stage.check(
    result.statuses.every((status) => status > OK),
    `bombs were answered ${result.statuses.join(", ")}`,
  );
  stage.report(
    "solves that are bombs",
    `answered ${result.statuses.join(", ")}, an ordinary build ${result.outcome}`,
    figure,
  );
}

function varint(value: number): number[] {
  const bytes: number[] = [];
  for (let rest = value; ; rest >>= 7) {
    if (rest < 128) return [...bytes, rest];
    bytes.push((rest & 127) | 128);
  }
}

async function endedBuild({ stage, builders: { port } }: Scene, endpoint: Endpoint): Promise<void> {
  const client = await openClient(port, endpoint);
  const status = await askBuilder(client, `${CONTROL}ListWorkers`);
  stage.check(status === PERMISSION_DENIED || status === -1, `a build that has ended was answered ${status}`);
  stage.report("a certificate of a build that has ended", `answered ${status}`);
  client.destroy();
}
