/**
 * Random requests to every route. No answer is a server failure or larger than its budget, none takes long,
 * nothing prints a stack, and the server still serves its pages afterwards.
 */
import { type Attack, isFailure, type Stage } from "../attack.ts";
import { ANSWER_BYTES } from "../bounds.ts";
import { type Answer, clientAddress, inParallel, send, sendRaw } from "../requests.ts";
import { type RunningServer, startServer } from "../server-process.ts";
import { signIn } from "../sign-in.ts";
import { type Credentials, type FuzzedRequest, fuzzedRequest, malformed } from "./requests.ts";
import { readSite, type Site } from "./routes.ts";

/** Requests of the short form; the same seed makes the same ones. */
const SHORT_REQUESTS = 10_000;
const REQUESTS_PER_SECOND = 2000;
const LANES = 4;
const RAW_TIMEOUT_MS = 2000;
/** The most failures that are reported: more would add nothing. */
const TOLD = 10;
/** With a larger body an answer may be cut short: a server that refuses a body does not read it. */
const SMALL_BODY_BYTES = 16_000;
const CURL_LENGTH = 2000;

/** Per-client limits would hide problems behind them. */
const options = { env: { RATE_LIMIT_FACTOR: "0" } };

export function fuzzAttack(seconds: number): Attack {
  return {
    item: 0,
    name: "random requests to every route",
    bound:
      "No 5xx but 503 with Retry-After and 507, no answer without end, no hang, no stack, and a server that keeps running.",
    run: (stage) => fuzz(stage, seconds),
  };
}

async function fuzz(stage: Stage, seconds: number): Promise<void> {
  const server = await stage.server(options);
  const site = await readSite();
  const credentials = { cookie: await signIn(server) };
  const count = stage.isShort ? SHORT_REQUESTS : seconds * REQUESTS_PER_SECOND;
  const end = performance.now() + seconds * 1000;
  const statuses = new Map<number, number>();
  const problems: string[] = [];
  const raw: Promise<string>[] = [];
  let sent = 0;
  const { figure } = await stage.measure(server, "random requests", () =>
    inParallel(count, LANES, async (number) => {
      if (performance.now() > end || problems.length >= TOLD) return;
      if (number % 50 === 49) {
        const bytes = malformed[((number / 50) | 0) % malformed.length]!;
        // Some are never answered, because they never end.
        raw.push(sendRaw(server.port, bytes, { timeoutMs: RAW_TIMEOUT_MS }));
      }
      const request = fuzzedRequest(stage.seed, number, site, credentials);
      const answer = await send(server.port, { ...request, from: clientAddress(number % 300) });
      sent++;
      statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1);
      const problem = problemOf(request, answer);
      if (problem) problems.push(`${problem}\n           ${repeatLine(server, request, stage.seed, number)}`);
    }),
  );
  await Promise.all(raw);
  for (const problem of problems) stage.check(false, problem);
  await isStillServing(stage, server);
  const counts = [...statuses].sort(([a], [b]) => a - b).map(([status, times]) => `${status}: ${times}`);
  const routes = new Set(site.routes.map(({ method, path }) => `${method} ${path}`)).size;
  stage.report(`${sent} random requests to ${routes} routes, seed ${stage.seed}`, counts.join(", "), figure);
}

function problemOf(request: FuzzedRequest, answer: Answer): string | null {
  if (isFailure(answer)) return `answered ${answer.status} ${answer.body.toString().slice(0, 200)}`;
  if (answer.failure?.startsWith("no answer")) return answer.failure;
  if (!request.isFile && answer.body.length > ANSWER_BYTES) return `answered ${answer.body.length} bytes`;
  if (answer.status === 0 && Buffer.byteLength(request.body ?? "") <= SMALL_BODY_BYTES)
    return `cut off without an answer: ${answer.failure}`;
  return null;
}

async function isStillServing(stage: Stage, server: RunningServer): Promise<void> {
  for (const path of ["/docs", "/docs?q=cache", "/health"]) {
    const { status } = await send(server.port, { path });
    stage.check(status === 200, `after the fuzz ${path} is answered ${status}`);
  }
  const printed = server.output();
  const stack = /^.*\n\s+at .*/m.exec(printed)?.[0];
  stage.check(stack === undefined, `the server printed a stack: ${stack?.slice(0, 400)}`);
}

/** One line for a shell; a body that no shell accepts is made again from its seed. */
function repeatLine(server: RunningServer, request: FuzzedRequest, seed: number, number: number): string {
  const { method, path, headers, body = "" } = request;
  const text = typeof body === "string" ? body : body.toString("latin1");
  const isPlain = /^[\x20-\x7e]*$/.test(text) && text.length <= CURL_LENGTH && typeof body === "string";
  if (!isPlain)
    return `npm run test:attack -- --repeat ${seed}:${number}   (${method} ${path.slice(0, 100)})`;
  const quoted = (value: string) => `'${value.replaceAll("'", `'\\''`)}'`;
  const lines = Object.entries(headers).map(([name, value]) => `-H ${quoted(`${name}: ${value}`)}`);
  const data = body === "" ? "" : ` --data-binary ${quoted(text)}`;
  return `curl -i -X ${method} ${quoted(`http://127.0.0.1:${server.port}${path}`)} ${lines.join(" ")}${data}`;
}

/** @param coordinates `seed:number`, as in a failure's message */
export async function repeatFuzz(coordinates: string): Promise<void> {
  const [seed = 0, number = 0] = coordinates.split(":").map(Number);
  const server = await startServer(options);
  try {
    const site: Site = await readSite();
    const credentials: Credentials = { cookie: await signIn(server) };
    const request = fuzzedRequest(seed, number, site, credentials);
    console.log(`${request.method} ${request.path}`);
    for (const [name, value] of Object.entries(request.headers)) console.log(`${name}: ${value}`);
    console.log(`\n${request.body?.toString().slice(0, 4000) ?? ""}\n`);
    const answer = await send(server.port, request);
    console.log(`${answer.status} ${answer.failure ?? ""}\n${answer.body.toString().slice(0, 4000)}`);
    console.log(server.output());
  } finally {
    await server.stop();
  }
}
