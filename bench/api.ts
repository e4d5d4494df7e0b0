/**
 * Calls of the API, which look up the caller, compared with a bare Connect server that answers a constant.
 *
 *   npm run node bench/api.ts               into bench/api.md
 *   npm run node bench/api.ts -- --print    print, write no file
 */
import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { connect } from "node:http2";
import { cpus, loadavg } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { sendLoad } from "./search-server/load.ts";

const { values: options } = parseArgs({
  options: { print: { type: "boolean", default: false }, calls: { type: "string", default: "3000" } },
});
const CALLS = Number(options.calls);
const ROUNDS = 4;
const AT_ONCE = 16;
const TOKEN = "mr_user_for-measurements-0123456789abcdef";
const METHODS = ["AccountService/WhoAmI", "ProjectService/List"];
const PROTOCOLS = ["json", "grpc"] as const;
type Protocol = (typeof PROTOCOLS)[number];

interface Server {
  ports: Record<Protocol, number>;
  usage: () => Promise<{ cpuMs: number; heapMegabytes: number }>;
  stop: () => void;
}

async function startServer(mode: "api" | "hello"): Promise<Server> {
  const child: ChildProcess = fork(join(import.meta.dirname, "api/server.ts"), [mode, TOKEN], {
    execArgv: ["--disable-warning=ExperimentalWarning", "--expose-gc"],
  });
  // The server sends its ports first, and usage after each question.
  const [ports] = (await once(child, "message")) as [Server["ports"]];
  return {
    ports,
    async usage() {
      const answer = once(child, "message");
      child.send("cpu");
      const [usage] = (await answer) as [Awaited<ReturnType<Server["usage"]>>];
      return usage;
    },
    stop: () => void child.kill(),
  };
}

const senders: Record<Protocol, (port: number, method: string) => Promise<unknown>> = {
  json: (port, method) =>
    sendLoad({
      port,
      path: `/${method}`,
      bodies: Array.from({ length: CALLS }, () => "{}"),
      connections: AT_ONCE,
      acceptEncoding: "identity",
      headers: [`Authorization: Bearer ${TOKEN}`],
    }),
  grpc: sendGrpc,
};

async function sendGrpc(port: number, method: string): Promise<void> {
  const session = connect(`http://127.0.0.1:${port}`);
  const empty = Buffer.alloc(5);
  let left = CALLS;
  const call = () =>
    new Promise<void>((resolve, reject) => {
      const stream = session.request({
        ":method": "POST",
        ":path": `/${method}`,
        "content-type": "application/grpc+proto",
        te: "trailers",
        authorization: `Bearer ${TOKEN}`,
      });
      let status: unknown;
      stream.on("trailers", (trailers) => (status = trailers["grpc-status"]));
      stream.on("error", reject);
      stream.on("close", () =>
        status === "0" ? resolve() : reject(new Error(`gRPC ended with ${String(status)}.`)),
      );
      stream.resume().end(empty);
    });
  const worker = async () => {
    while ((left -= 1) >= 0) await call();
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
  session.close();
}

interface Figures {
  perSecond: number;
  cpuMicroseconds: number;
}

async function measure(server: Server, protocol: Protocol, method: string): Promise<Figures> {
  const prefix = protocol === "json" && server === api ? "api/" : "";
  const send = () => senders[protocol](server.ports[protocol], `${prefix}millrace.v1.${method}`);
  const [before, started] = [await server.usage(), performance.now()];
  await send();
  const seconds = (performance.now() - started) / 1000;
  const after = await server.usage();
  return { perSecond: CALLS / seconds, cpuMicroseconds: ((after.cpuMs - before.cpuMs) * 1000) / CALLS };
}

const median = (numbers: number[]) => numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? 0;

/** In turn, so that other load on the machine affects both equally; the first round warms up. */
async function compare(protocol: Protocol, method: string) {
  const rounds: { ours: Figures; bare: Figures }[] = [];
  for (let round = 0; round <= ROUNDS; round += 1)
    rounds.push({ ours: await measure(api, protocol, method), bare: await measure(hello, protocol, method) });
  const of = (which: "ours" | "bare", figure: keyof Figures) =>
    median(rounds.slice(1).map((round) => round[which][figure]));
  return { protocol, method, of };
}

const load = loadavg()[0] ?? 0;
const [api, hello] = await Promise.all([startServer("api"), startServer("hello")]);
const rows: Awaited<ReturnType<typeof compare>>[] = [];
for (const protocol of PROTOCOLS) for (const method of METHODS) rows.push(await compare(protocol, method));
const { heapMegabytes } = await api.usage();
api.stop();
hello.stop();
const report = reportOf();
console.log(report);
if (!options.print) writeFileSync(join(import.meta.dirname, "api.md"), report);

function reportOf(): string {
  const whole = (value: number) => Math.round(value).toLocaleString("en");
  const lines = rows.map(({ protocol, method, of }) => {
    const [ours, bare] = [of("ours", "cpuMicroseconds"), of("bare", "cpuMicroseconds")];
    const rates = `${whole(of("ours", "perSecond"))} | ${whole(of("bare", "perSecond"))}`;
    return `| ${protocol} | ${method} | ${rates} | ${whole(ours)} | ${whole(bare)} | ${(ours / bare).toFixed(2)} × |`;
  });
  return `# The API: calls a second, and what one costs

\`npm run node bench/api.ts\` writes this file. Ours looks up who calls, judges, asks SQLite (20 projects in the list) and counts
the call; the other is Connect on Node's own servers and answers a constant to everyone. ${AT_ONCE} calls at once, medians of ${ROUNDS}
rounds of ${whole(CALLS)} calls each. Ratios of one run mean something, CPU time more than the clock.

Measured with Node ${process.version} on ${cpus()[0]?.model.trim() ?? "unknown"}, ${cpus().length} cores, load average ${load.toFixed(1)} at the start,
${new Date().toISOString().slice(0, 10)}. Heap after it: ${whole(heapMegabytes)} MB.

| protocol | method | calls/s | bare Connect | CPU of a call, µs | bare Connect | ratio |
| --- | --- | ---: | ---: | ---: | ---: | ---: |
${lines.join("\n")}
`;
}
