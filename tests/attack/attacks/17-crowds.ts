import { once } from "node:events";
import type { Socket } from "node:net";
import { type Attack, isFailure, type Stage } from "../attack.ts";
import { openDescriptors } from "../memory.ts";
import { inParallel, json, openSocket, send } from "../requests.ts";
import type { RunningServer } from "../server-process.ts";

const NEWCOMERS = 5;
const NEWCOMER_TIMEOUT_MS = 15_000;

export const crowds: Attack = {
  item: 17,
  name: "crowds",
  bound: "Connections that say little lock no one out, and a thousand searches at once keep no page waiting.",
  async run(stage) {
    const [fileLimit, connections] = [1024, 1300];
    for (const clients of stage.isShort ? [40] : [1, 130])
      await slowConnections(stage, { fileLimit, connections, clients });
    await manySearches(stage, stage.isShort ? 300 : 1000);
  },
};

async function slowConnections(
  stage: Stage,
  { fileLimit, connections, clients }: { fileLimit: number; connections: number; clients: number },
): Promise<void> {
  const server = await stage.server({ fileLimit });
  const sockets: Socket[] = [];
  let closed = 0;
  for (let at = 0; at < connections; at++) {
    const socket = openSocket(server.port, stage.address(at % clients));
    socket.on("close", () => closed++);
    // A request that never ends: a third each in the first line, in the headers, in the body.
    socket.write(["GET /do", "GET /docs HTTP/1.1\r\nHost: x\r\n", longBody][at % 3]!);
    sockets.push(socket);
    if (at % 100 === 99) await Promise.race([once(socket, "connect"), once(socket, "close")]).catch(() => {});
  }
  const descriptors = openDescriptors(server.pid);
  const answers = await inParallel(NEWCOMERS, 1, (at) =>
    send(server.port, { path: "/docs", from: stage.address(5000 + at), timeoutMs: NEWCOMER_TIMEOUT_MS }),
  );
  const entered = answers.filter(({ status }) => status === 200).length;
  const name = `${connections} slow connections of ${clients} clients, ${fileLimit} open files`;
  stage.check(entered === NEWCOMERS, `${name}: ${entered} of ${NEWCOMERS} newcomers got in`);
  stage.report(
    name,
    `${entered} of ${NEWCOMERS} newcomers answered, ${closed} shed, ${descriptors} descriptors`,
  );
  for (const socket of sockets) socket.destroy();
}

const longBody =
  "POST /multi-search HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 2000\r\n\r\n{";

async function manySearches(stage: Stage, count: number): Promise<void> {
  const server = await stage.server();
  const times: number[] = [];
  const pages: number[] = [];
  let slowestPage = 0;
  const { result: answers, figure } = await stage.measure(server, `${count} searches at once`, async () => {
    const searches = inParallel(count, count, async (at) => {
      const started = performance.now();
      // Each from a different reader, and no two alike.
      const body = {
        queries: [{ indexUid: "docs", q: `how to cache layer ${at}`, attributesToHighlight: ["*"] }],
      };
      const answer = await send(server.port, json("/multi-search", body, { from: stage.address(6000 + at) }));
      if (answer.status === 200) times.push(performance.now() - started);
      return answer;
    });
    await inParallel(20, 1, async (at) => {
      const started = performance.now();
      const { status } = await send(server.port, { path: "/docs", from: stage.address(8000 + at) });
      pages.push(status);
      slowestPage = Math.max(slowestPage, performance.now() - started);
    });
    return searches;
  });
  const bad = answers.filter((answer) => isFailure(answer) || ![200, 503].includes(answer.status));
  stage.check(
    bad.length === 0,
    `${bad.length} of ${count} searches were answered ${bad[0]?.status} ${bad[0]?.failure ?? ""}`,
  );
  stage.check(
    pages.every((status) => status === 200),
    `pages beside them were answered ${[...new Set(pages)].join(", ")}`,
  );
  stage.check(times.length > 0, "none of them was answered 200");
  const p99 = times.sort((a, b) => a - b)[Math.ceil(times.length * 0.99) - 1] ?? 0;
  const outcome = `${times.length} answered, ${count - times.length} told to wait, p99 ${Math.round(p99)} ms, slowest page beside them ${Math.round(slowestPage)} ms`;
  stage.report(`${count} searches at once`, outcome, figure);
  await aliveAfter(stage, server);
}

async function aliveAfter(stage: Stage, server: RunningServer): Promise<void> {
  const { status } = await send(server.port, { path: "/docs?q=cache", from: stage.address(9000) });
  stage.check(status === 200, `after the crowd a page with results was answered ${status}`);
}
