import { once } from "node:events";
import type { Socket } from "node:net";
import type { Attack, Stage } from "../attack.ts";
import { inParallel, json, openSocket, send, type Sent } from "../requests.ts";
import type { RunningServer } from "../server-process.ts";

/** The largest body that `/mcp` accepts, in bytes. */
const BODY_BYTES = 64 * 1024;
const WAITING = 400;
const CALLS = { short: 300, usual: 3000 };
/** Longer than a body may take to arrive, in milliseconds. */
const PATIENCE_MS = 20_000;

const accept = "application/json, text/event-stream";

const ask = (method: string, params: object = {}, id: unknown = 1): Sent =>
  json("/mcp", { jsonrpc: "2.0", id, method, params }, { headers: { accept } });
const call = (name: string, input: unknown) => ask("tools/call", { name, arguments: input });
const raw = (body: string): Sent => json("/mcp", body, { headers: { accept } });

export const agents: Attack = {
  item: 25,
  name: "agents",
  bound:
    "Whatever comes to /mcp costs what a search costs, nothing of it stays, and other sites get nothing.",
  async run(stage) {
    const server = await stage.target();
    for (const [name, sent] of messages()) await stage.strike(server, name, sent);
    await otherSites(stage, server);
    await bodiesThatDoNotCome(stage, server);
    await manyCalls(stage, server);
  },
};

function messages(): [string, Sent][] {
  const word = "w ".repeat(256).trim();
  return [
    ["brackets", raw("[".repeat(BODY_BYTES))],
    ["objects 31 deep", raw(`{"a":`.repeat(31) + "1" + "}".repeat(31))],
    ["four thousand unknown fields", call("search_docs", fields(4000))],
    ["an introduction with four thousand icons", introduction(4000)],
    ["the longest query", call("search_docs", { query: word, limit: 20, section: "Cache" })],
    ["the longest id", ask("tools/list", {}, "x".repeat(BODY_BYTES - 200))],
    ["a page's address of slashes", call("read_page", { page: "/".repeat(500) })],
    ["an anchor of escapes", call("read_page", { page: `/docs/faq#${"%25".repeat(160)}` })],
    ["a tool with a long name", call("x".repeat(60_000), {})],
    ["a subscription", ask("subscriptions/listen", { notifications: { toolsListChanged: true } })],
  ];
}

const introduction = (icons: number) =>
  ask("initialize", {
    protocolVersion: "2025-06-18",
    capabilities: {},
    clientInfo: { name: "x", version: "1", icons: Array.from({ length: icons }, () => ({ s: 1 })) },
  });
const fields = (count: number) =>
  Object.fromEntries(Array.from({ length: count }, (_, at) => [`field-${at}`, 1]));

async function otherSites(stage: Stage, server: RunningServer): Promise<void> {
  const headers: [string, string][] = [
    ["origin", "https://evil.example"],
    ["origin", "null"],
    ["sec-fetch-site", "cross-site"],
  ];
  let refused = 0;
  for (const [name, value] of headers) {
    const sent = call("search_docs", { query: "cache" });
    const answer = await send(server.port, { ...sent, headers: { ...sent.headers, [name]: value } });
    if (stage.check(answer.status === 403, `/mcp answered ${answer.status} to a page with ${name}: ${value}`))
      refused++;
  }
  stage.report("pages of other sites", `${refused} of ${headers.length} refused`);
}

/** Each announces 64 KB, and sends one byte. */
async function bodiesThatDoNotCome(stage: Stage, server: RunningServer): Promise<void> {
  const name = `${WAITING} messages that do not come`;
  const sockets: Socket[] = [];
  const { result, figure } = await stage.measure(server, name, async () => {
    for (let at = 0; at < WAITING; at++) {
      const socket = openSocket(server.port, stage.address(at % 4));
      socket.write(
        `POST /mcp HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\naccept: ${accept}\r\ncontent-length: ${BODY_BYTES}\r\n\r\n{`,
      );
      sockets.push(socket);
    }
    const newcomer = await send(server.port, { ...ask("tools/list"), from: stage.address(100) });
    const answered = sockets.map((socket) =>
      once(socket, "data", { signal: AbortSignal.timeout(PATIENCE_MS) }).then(
        ([data]) => String(data).slice(9, 12),
        () => "none",
      ),
    );
    return { newcomer, statuses: await Promise.all(answered) };
  });
  for (const socket of sockets) socket.destroy();
  const { newcomer, statuses } = result;
  stage.check(
    newcomer.status === 200,
    `${name}: a newcomer was answered ${newcomer.failure ?? newcomer.status}`,
  );
  const slow = statuses.filter((status) => status === "408").length;
  stage.check(slow === WAITING, `${name}: ${WAITING - slow} were not told that they are too slow`);
  stage.report(name, `${slow} answered 408`, figure);
}

/** From many addresses, so that no limit of one client holds them back. */
async function manyCalls(stage: Stage, server: RunningServer): Promise<void> {
  const count = stage.isShort ? CALLS.short : CALLS.usual;
  const name = `${count} calls at once`;
  const statuses = new Map<number, number>();
  const { figure, cpuMs } = await stage.measure(server, name, () =>
    inParallel(count, 64, async (at) => {
      const sent =
        at % 2 === 0
          ? call("search_docs", { query: `cache ${at}`, limit: 20 })
          : call("read_page", { page: "/docs/faq" });
      const { status } = await send(server.port, { ...sent, from: stage.address(200 + (at % 50)) });
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
    }),
  );
  for (const status of statuses.keys())
    stage.check([200, 429, 503].includes(status), `${name}: one was answered ${status}`);
  const answers = [...statuses].map(([status, times]) => `${times} × ${status}`).join(", ");
  stage.report(name, `${answers}; ${(cpuMs / count).toFixed(1)} ms of CPU time each`, figure);
}
