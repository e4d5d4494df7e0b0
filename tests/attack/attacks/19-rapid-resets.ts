import {
  connectFrames,
  END_HEADERS,
  frame,
  goawayCodes,
  headerBlock,
  request,
  requestLines,
  reset,
  TYPE,
} from "#platform/http/raw-frames.ts";
import type { Attack, Stage } from "../attack.ts";
import { ANSWER_TIMEOUT_MS } from "../bounds.ts";
import { send } from "../requests.ts";
import { OWNER_TOKEN, type RunningServer } from "../server-process.ts";

const ENHANCE_YOUR_CALM = 11;
const RESETS = 3_000;
/**
 * 100 of a stranger, 200 more of a known client (platform/http/connections/stream-resets.ts), plus those that are read in one go.
 * `answered`: a request that has its answer before it is canceled without an error counts from the hundredth on.
 */
const MOST_REQUESTS = { stranger: 120, answered: 220, known: 330 };
/** Opens the metrics, which have the counts of the API and the cache. */
const METRICS_TOKEN = "metrics-of-the-attacks-0123456789";

type Frames = (id: number) => Buffer[];

export const rapidResets: Attack = {
  item: 19,
  name: "rapid reset",
  bound:
    "A connection that takes back 3,000 streams in one go is ended, before more than a few of them have reached the application.",
  async run(stage) {
    const server = await stage.server({ env: { METRICS_TOKEN } });
    for (const [name, frames, most] of strikes()) await resetOnce(stage, server, { name, frames, most });
  },
};

function strikes(): [name: string, frames: Frames, most: number][] {
  const post = (id: number, path: string, type: string) =>
    frame(
      TYPE.headers,
      END_HEADERS,
      id,
      headerBlock(
        requestLines(path, {
          ":method": "POST",
          "content-type": type,
          te: "trailers",
          authorization: `Bearer ${OWNER_TOKEN}`,
        }),
      ),
    );
  const cache = "/build.bazel.remote.execution.v2.ContentAddressableStorage/FindMissingBlobs";
  const api = "/millrace.v1.AccountService/WhoAmI";
  return [
    ["pages", (id) => [request(id, "/docs"), reset(id)], MOST_REQUESTS.stranger],
    ["pages, without an error", (id) => [request(id, "/docs"), reset(id, 0)], MOST_REQUESTS.answered],
    ["searches", (id) => [request(id, "/indexes/docs/search?q=cache"), reset(id)], MOST_REQUESTS.stranger],
    [
      "calls of the API",
      (id) => [post(id, `/api${api}`, "application/json"), reset(id)],
      MOST_REQUESTS.stranger,
    ],
    ["gRPC", (id) => [post(id, api, "application/grpc"), reset(id)], MOST_REQUESTS.stranger],
    ["gRPC of the cache", (id) => [post(id, cache, "application/grpc"), reset(id)], MOST_REQUESTS.known],
  ];
}

async function resetOnce(
  stage: Stage,
  server: RunningServer,
  { name, frames, most }: { name: string; frames: Frames; most: number },
): Promise<void> {
  const title = `${RESETS} resets on one connection: ${name}`;
  const before = await countAnswers(server);
  const { result, figure, cpuMs } = await stage.measure(server, title, async () => {
    const session = await connectFrames(server.port, { from: stage.address() });
    session.send(...Array.from({ length: RESETS }, (_, at) => frames(2 * at + 1)).flat());
    const timer = setTimeout(() => session.socket.destroy(new Error("late")), ANSWER_TIMEOUT_MS);
    const text = await session.ended();
    clearTimeout(timer);
    return { codes: goawayCodes(text), isLate: session.socket.errored?.message === "late" };
  });
  // One is the request for the metrics itself.
  const reached = (await countAnswers(server)) - before - 1;
  stage.check(!result.isLate, `${title}: the connection stayed open`);
  stage.check(
    result.codes.every((code) => code === ENHANCE_YOUR_CALM),
    `${title}: ended with ${result.codes.join(", ")}`,
  );
  stage.check(reached <= most, `${title}: ${reached} requests reached the application, at most ${most} may`);
  const outcome = `ended, ${reached} requests, ${Math.round(cpuMs)} ms of CPU time`;
  stage.report(title, outcome, figure);
}

/** Answers of all parts that were sent or cut off. */
async function countAnswers({ port }: RunningServer): Promise<number> {
  const headers = { authorization: `Bearer ${METRICS_TOKEN}` };
  const { body } = await send(port, { path: "/metrics", headers });
  const lines = [...body.toString().matchAll(/^http_requests_total\{[^}]*\} (\d+)/gm)];
  return lines.reduce((sum, [, count]) => sum + Number(count), 0);
}
