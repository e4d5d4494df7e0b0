import { once } from "node:events";
import type { Socket } from "node:net";
import type { Attack, Stage } from "../attack.ts";
import { openDescriptors } from "../memory.ts";
import { comesTrue } from "../processes.ts";
import { json, openSocket, send } from "../requests.ts";
import type { RunningServer } from "../server-process.ts";

/** How long a server may wait for readers that read nothing. */
const PATIENCE_MS = 120_000;
/** The most that a reader's client asks for, in hits. */
const everything = {
  indexUid: "docs",
  q: "a",
  limit: 1000,
  attributesToHighlight: ["*"],
  attributesToCrop: ["*"],
};

export const largeAnswers: Attack = {
  item: 3,
  name: "answers without end",
  bound: "An answer has a byte budget, and readers who read nothing cost little memory and are cut off.",
  async run(stage) {
    const server = await stage.target();
    const tag = "x".repeat(10_000);
    for (const name of ["highlightPreTag", "highlightPostTag", "cropMarker"]) {
      const body = {
        q: "a",
        limit: 1000,
        attributesToHighlight: ["*"],
        attributesToCrop: ["*:3"],
        [name]: tag,
      };
      const { status } = await stage.strike(server, `${name} of 10 KB`, json("/indexes/docs/search", body));
      stage.check(status === 400, `${name} of 10 KB: answered ${status}, not 400`);
    }
    const queries = Array.from({ length: 20 }, (_, at) => ({
      ...everything,
      q: String.fromCharCode(97 + at),
    }));
    await stage.strike(server, "20,000 hits with everything", json("/multi-search", { queries }));
    const documents = { path: "/search/indexes/docs/documents?limit=1000", headers: {} };
    await stage.strike(server, "1,000 documents without a key", documents);
    await unreadAnswers(stage);
    await connectionsOfOneAddress(stage);
  },
};

/** Sockets that repeatedly request large answers and read none of them. */
async function unreadAnswers(stage: Stage): Promise<void> {
  const server = await stage.server();
  const [readers, perReader] = stage.isShort ? [8, 10] : [24, 30];
  const idle = openDescriptors(server.pid);
  const sockets: Socket[] = [];
  const name = `${readers} readers ask for ${readers * perReader} large answers and read none`;
  const { figure } = await stage.measure(server, name, async () => {
    for (let at = 0; at < readers; at++) {
      const socket = openSocket(server.port, stage.address(100 + at));
      socket.pause();
      socket.write(requestsFor(perReader, at));
      sockets.push(socket);
    }
    // The server has answered all that it will once it has answered others in between.
    for (let at = 0; at < readers * 2; at++) await askForPage(server, stage, at);
  });
  // It takes as long as the server is patient.
  const isCut =
    stage.isShort || (await comesTrue(() => openDescriptors(server.pid) <= idle + 2, PATIENCE_MS));
  stage.check(isCut, `${name}: after ${PATIENCE_MS / 1000} s they still have their connections`);
  stage.report(name, stage.isShort ? "others are answered" : isCut ? "cut off" : "never cut off", figure);
  for (const socket of sockets) socket.destroy();
}

function requestsFor(count: number, reader: number): string {
  return Array.from({ length: count }, (_, at) => {
    // The first asks for more than is allowed, the others for the maximum.
    const highlightPreTag = "x".repeat(at === 0 ? 10_000 : 100);
    const q = String.fromCharCode(97 + ((reader + at) % 26));
    const body = JSON.stringify({
      queries: [{ ...everything, q, cropLength: 10 + reader, highlightPreTag }],
    });
    return `POST /multi-search HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;
  }).join("");
}

function askForPage(server: RunningServer, stage: Stage, at: number) {
  return send(server.port, { path: "/docs", from: stage.address(200 + at) });
}

/** Far more connections than a browser opens, from one address; a second address still gets in. */
async function connectionsOfOneAddress(stage: Stage): Promise<void> {
  const server = await stage.server();
  const wanted = 1300;
  const sockets: Socket[] = [];
  let refused = 0;
  for (let at = 0; at < wanted; at++) {
    const socket = openSocket(server.port, stage.address(500));
    socket.on("close", () => refused++);
    sockets.push(socket);
    if (at % 50 === 49) await Promise.race([once(socket, "connect"), once(socket, "close")]).catch(() => {});
  }
  // One answer on each side shows that the server has seen all of them.
  const newcomer = await askForPage(server, stage, 501);
  stage.check(
    newcomer.status === 200,
    `beside ${wanted} connections of one address another one got ${newcomer.status}`,
  );
  stage.check(refused > 0, `one address holds ${wanted} connections and none was refused`);
  stage.report(`${wanted} connections of one address`, `${refused} refused`);
  for (const socket of sockets) socket.destroy();
}
