/**
 * 1. A request beyond its address's limit, or from another site, takes no turn; a request within the limit takes one, before
 *    its body is read.
 * 2. A sender that gets no turn learns when to try again, in the protocol's form.
 */
import { expect, test } from "vitest";
import { offerTurn } from "#platform/fair/offered-turns.ts";
import { RETRY_SECONDS } from "#platform/fair/limits.ts";
import { origin, readerAddress, startTelemetry } from "../testing/telemetry.ts";

const PATHS = ["/ingest/e/", "/insights/1/events", "/errors/envelope", "/feedback", "/your-data/export"];
const ALLOWED = 3;

function start(answer: () => Response | undefined) {
  const { app } = startTelemetry({ limits: { requestsPerAddress: ALLOWED } });
  let turns = 0;
  async function send(path: string, headers: { [name: string]: string } = {}): Promise<Response> {
    const request = new Request(new URL(path, origin), {
      method: "POST",
      body: "{}",
      headers: { host: "docs.example.com", "content-type": "application/json", ...headers },
    });
    offerTurn(request, async () => ((turns += 1), answer()));
    return app.request(request, undefined, { incoming: { socket: { remoteAddress: readerAddress } } });
  }
  return { send, turns: () => turns };
}

test.each(PATHS)("1. %s", async (path) => {
  const { send, turns } = start(() => undefined);
  expect((await send(path, { origin: "https://evil.example" })).status).toBe(403);
  expect(turns()).toBe(0);
  const statuses: number[] = [];
  for (let count = 0; count < 3 * ALLOWED; count += 1) {
    statuses.push((await send(path)).status);
  }
  expect(statuses.filter((status) => status === 429)).toHaveLength(2 * ALLOWED);
  expect(turns()).toBe(ALLOWED);
});

test.each(PATHS)("2. %s", async (path) => {
  const { send } = start(() => new Response(null, { status: 429 }));
  const answer = await send(path);
  expect([answer.status, answer.headers.get("retry-after")]).toEqual([429, String(RETRY_SECONDS)]);
});
