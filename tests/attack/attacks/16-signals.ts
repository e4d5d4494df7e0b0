import { type ChildProcess, spawn } from "node:child_process";
import type { Socket } from "node:net";
import { root } from "#server/pages/build-folders.ts";
import type { Attack, Stage } from "../attack.ts";
import { addDocuments, finish, read, type Task } from "../documents.ts";
import { comesTrue, descendants, isAlive } from "../processes.ts";
import { openSocket } from "../requests.ts";
import { ADMIN_KEY, freePort, serverEnvironment } from "../server-process.ts";

const START_MS = 240_000;
/** The server gives requests in flight 20 s. */
const END_MS = 40_000;
const DOCUMENTS = 35;
const DOCUMENT_BYTES = 100_000;

export const signals: Attack = {
  item: 16,
  name: "signals to npm start",
  bound: "Whichever process of `npm start` is ended, none stays behind, and requests in flight are answered.",
  async run(stage) {
    if (process.platform !== "linux")
      return stage.notTried("signals to npm start", "processes are found on Linux alone", "linux");
    // npm itself, the launcher, the server; killing npm must not leave any process behind either.
    const cases: [string, NodeJS.Signals, (pids: number[]) => number][] = [
      ["SIGTERM to npm", "SIGTERM", (pids) => pids[0]!],
      ["SIGINT to the launcher", "SIGINT", (pids) => pids.at(-2)!],
      ["SIGTERM to the server", "SIGTERM", (pids) => pids.at(-1)!],
      ["SIGKILL to npm", "SIGKILL", (pids) => pids[0]!],
    ];
    for (const [name, signal, choose] of stage.isShort ? cases.slice(0, 1) : cases)
      await endOne(stage, { name, signal, choose });
  },
};

interface Ending {
  name: string;
  signal: NodeJS.Signals;
  choose: (pids: number[]) => number;
}

async function endOne(stage: Stage, { name, signal, choose }: Ending): Promise<void> {
  const port = await freePort();
  const dataDir = stage.dataDir();
  const npm = spawn("npm", ["start"], {
    cwd: root,
    env: serverEnvironment(port, dataDir),
    stdio: ["ignore", "pipe", "pipe"],
  });
  let pids = [npm.pid!];
  try {
    if (!stage.check(await listens(npm), `${name}: npm start does not listen`)) return;
    pids = [npm.pid!, ...descendants(npm.pid!)];
    const download = await beginDownload(port, stage.address());
    const upload = await beginUpload(port, stage.address(1));
    process.kill(choose(pids), signal);
    const status = await upload.finish();
    const received = await download.finish();
    if (signal !== "SIGKILL") {
      const whole = `${received} of ${download.bytes} bytes`;
      stage.check(received >= download.bytes, `${name}: a download ended after ${whole}`);
      stage.check(status.includes(" 202 "), `${name}: an upload that had begun was answered "${status}"`);
    }
    const isOver = await comesTrue(() => !pids.some(isAlive), END_MS);
    const left = pids.filter(isAlive);
    stage.check(isOver, `${name}: ${left.length} of ${pids.length} processes are still there`);
    stage.report(name, `${left.length} of ${pids.length} processes left, upload: ${status || "cut"}`);
  } finally {
    for (const pid of pids) if (isAlive(pid)) process.kill(pid, "SIGKILL");
  }
}

function listens(child: ChildProcess): Promise<boolean> {
  let output = "";
  let hasEnded = false;
  child.once("exit", () => (hasEnded = true));
  for (const stream of [child.stdout, child.stderr]) stream?.on("data", (chunk) => (output += String(chunk)));
  return comesTrue(() => hasEnded || output.includes("Millrace is at"), START_MS).then(
    (isThere) => isThere && !hasEnded,
  );
}

/** A slow reader: asks for 3.5 MB, reads the first bytes, and continues on `finish`. */
async function beginDownload(port: number, from: string) {
  const documents = Array.from({ length: DOCUMENTS }, (_, id) => ({
    id,
    text: `${id} `.repeat(DOCUMENT_BYTES / 3),
  }));
  const { taskUid } = read<Task>(await addDocuments({ port }, "big", documents));
  await finish({ port }, taskUid);
  const socket = openSocket(port, from);
  const path = `/search/indexes/big/documents?limit=${DOCUMENTS}`;
  socket.write(`GET ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${ADMIN_KEY}\r\n\r\n`);
  const first = await firstChunk(socket);
  const head = first.toString("latin1");
  const headLength = head.indexOf("\r\n\r\n") + 4;
  const length = Number(/content-length: (\d+)/i.exec(head)?.[1] ?? DOCUMENTS * DOCUMENT_BYTES);
  return {
    /** Including the head; an answer in chunks has a few more. */
    bytes: length + headLength,
    finish: () =>
      new Promise<number>((resolve) => {
        let received = first.length;
        const done = () => {
          clearTimeout(giveUp);
          socket.destroy();
          resolve(received);
        };
        const giveUp = setTimeout(done, END_MS);
        socket.on("data", (chunk) => {
          received += chunk.length;
          if (received >= length + headLength) done();
        });
        socket.on("close", done);
        socket.resume();
      }),
  };
}

/** A writer in the middle of a request: sends half of the body now, the rest on `finish`. */
async function beginUpload(port: number, from: string) {
  const body = JSON.stringify([{ id: 1, text: "x".repeat(10_000) }]);
  const socket = openSocket(port, from);
  const head = [
    "POST /search/indexes/upload/documents HTTP/1.1",
    "Host: x",
    `Authorization: Bearer ${ADMIN_KEY}`,
    "Content-Type: application/json",
    `Content-Length: ${body.length}`,
  ];
  // Answered with "100 Continue": by then the server has accepted the request.
  socket.write(`${[...head, "Expect: 100-continue"].join("\r\n")}\r\n\r\n${body.slice(0, 5000)}`);
  await firstChunk(socket);
  return {
    /** The status line of the answer; empty when the connection was cut. */
    finish: () =>
      new Promise<string>((resolve) => {
        const done = (line: string) => {
          clearTimeout(giveUp);
          socket.destroy();
          resolve(line);
        };
        const giveUp = setTimeout(() => done(""), END_MS);
        socket.once("close", () => done(""));
        socket.once("data", (chunk) => done(chunk.toString("latin1").split("\r\n")[0] ?? ""));
        socket.resume();
        socket.write(body.slice(5000));
      }),
  };
}

function firstChunk(socket: Socket): Promise<Buffer> {
  return new Promise((resolve) => {
    const end = () => resolve(Buffer.alloc(0));
    socket.once("close", end);
    socket.once("data", (chunk) => {
      socket.pause();
      socket.off("close", end);
      resolve(chunk);
    });
  });
}
