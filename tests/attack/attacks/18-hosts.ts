import { connectRaw } from "#platform/http/raw-client.ts";
import {
  connectFrames,
  END_HEADERS,
  END_STREAM,
  frame,
  headerBlock,
  requestLines,
  TYPE,
} from "#platform/http/raw-frames.ts";
import type { Attack, Stage } from "../attack.ts";
import type { RunningServer } from "../server-process.ts";

/** Addresses of every endpoint: pages, the application, the API, the cache, the registry, searches, telemetry. */
const PATHS = [
  "/docs",
  "/app/",
  "/auth/state",
  "/api/millrace.v1.AccountService/WhoAmI",
  "/cache/gradle/a",
  "/v2/",
  "/health",
  "/ingest/e/",
  "/builds",
  "/nothing/here",
];

const ONE_LINE: [what: string, lines: string][] = [
  ["two hosts", "Host: localhost\r\nHost: evil.example\r\n"],
  ["two hosts that are the same", "Host: localhost\r\nhost: localhost\r\n"],
  ["a user", "Host: localhost@evil.example\r\n"],
  ["a comma", "Host: localhost, evil.example\r\n"],
  ["a space", "Host: localhost evil.example\r\n"],
  ["a path", "Host: localhost/evil\r\n"],
  ["markup", "Host: <b>\r\n"],
  ["nothing", "Host:\r\n"],
  ["no line", ""],
];

/** The value of `:authority` (null: none), and the `host` lines. */
const SESSION_LINES: [what: string, authority: string | null, hosts: string[]][] = [
  ["another host", "localhost", ["evil.example"]],
  ["two hosts", null, ["localhost", "evil.example"]],
  ["two hosts and an authority", "localhost", ["localhost", "localhost"]],
  ["a user", "localhost@evil.example", []],
  ["a comma", "localhost,evil.example", []],
  ["a space", "localhost evil.example", []],
  ["a path", "localhost/evil", []],
  ["no host", null, []],
];
/** As in the table of RFC 7541, appendix A. */
const STATUS_400 = 0x80 | 12;

export const hosts: Attack = {
  item: 18,
  name: "hosts that are two or none",
  bound:
    "A request that names two hosts, or none that could be one, gets 400 at every endpoint, in HTTP/1.1 and HTTP/2.",
  async run(stage) {
    const server = await stage.target();
    let refused = 0;
    for (const path of PATHS)
      refused += (await http1(stage, server, path)) + (await http2(stage, server, path));
    stage.report("requests with two hosts or a wrong one", `${refused} answered 400`);
  },
};

async function http1(stage: Stage, server: RunningServer, path: string): Promise<number> {
  let refused = 0;
  const tries: [string, string][] = ONE_LINE.map(([what, lines]) => [
    what,
    `GET ${path} HTTP/1.1\r\n${lines}Connection: close\r\n\r\n`,
  ]);
  tries.push([
    "another in the request's line",
    `GET http://evil.example${path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`,
  ]);
  for (const [what, sent] of tries) {
    const client = await connectRaw(server.port, sent);
    const status = /^HTTP\/1\.1 (\d+)/.exec(await client.ended())?.[1];
    if (stage.check(status === "400", `${path} with ${what}: ${status}`)) refused += 1;
  }
  return refused;
}

async function http2(stage: Stage, server: RunningServer, path: string): Promise<number> {
  let refused = 0;
  for (const [what, authority, hosts] of SESSION_LINES) {
    const session = await connectFrames(server.port);
    const lines = requestLines(path);
    if (authority === null) delete lines[":authority"];
    else lines[":authority"] = authority;
    const block = [headerBlock(lines), ...hosts.map((host) => headerBlock({ host }))];
    session.send(frame(TYPE.headers, END_HEADERS | END_STREAM, 1, Buffer.concat(block)));
    const frames = await session.until(({ stream, type }) => stream === 1 || type === TYPE.goaway);
    session.socket.destroy();
    const answer = frames.find(({ stream }) => stream === 1);
    // The library itself resets what HTTP/2 forbids.
    const isRefused = answer?.type === TYPE.reset || answer?.payload.at(0) === STATUS_400;
    if (stage.check(isRefused, `${path} in HTTP/2 with ${what}: ${JSON.stringify(answer)}`)) refused += 1;
  }
  return refused;
}
