/**
 * Two servers on one PostgreSQL, and many builds that store into one namespace of the cache at the same time:
 * 1. Every entry is stored: none is refused, and no transaction is repeated because of the other server.
 * 2. Afterwards the application, the metrics and the stored entries agree as soon as one is asked.
 */
import { randomBytes } from "node:crypto";
import { Agent, request } from "node:http";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { json, send } from "../attack/requests.ts";
import { OWNER_TOKEN, prepareBuild, type RunningServer, startServer } from "../attack/server-process.ts";
import { findPostgres, type RunningPostgres, startPostgres } from "./postgres.ts";
import { startTestS3, type TestS3 } from "#platform/testing/s3.ts";

const ENTRIES = 4_000;
const CONNECTIONS = 64;
const SIZE = 500;
const METRICS_TOKEN = "of-the-replicas-0123456789";
const authorization = `Bearer ${OWNER_TOKEN}`;

const programs = findPostgres();

describe.skipIf(!programs)("one namespace of two servers (skipped where PostgreSQL is not installed)", () => {
  let postgres: RunningPostgres;
  let s3: TestS3;
  let servers: RunningServer[] = [];

  beforeAll(async () => {
    await prepareBuild();
    [postgres, s3] = await Promise.all([startPostgres(programs!), startTestS3()]);
    const env = {
      MILLRACE_DATABASE_URL: postgres.url,
      MILLRACE_SECRET_KEY: randomBytes(32).toString("base64"),
      MILLRACE_BLOB_URL: s3.url,
      RATE_LIMIT_FACTOR: "0",
      METRICS_TOKEN,
    };
    servers = await Promise.all([startServer({ env }), startServer({ env })]);
  }, 300_000);
  afterAll(async () => {
    await Promise.all(servers.map((server) => server.stop()));
    await Promise.all([postgres?.close(), s3?.close()]);
  }, 60_000);

  const readMetrics = async ({ port }: RunningServer) =>
    (
      await send(port, { path: "/metrics", headers: { authorization: `Bearer ${METRICS_TOKEN}` } })
    ).body.toString();

  test("1. and 2. stored, and counted", { timeout: 300_000 }, async () => {
    const agents = servers.map(() => new Agent({ keepAlive: true, maxSockets: CONNECTIONS / 2 }));
    const put = (number: number) =>
      new Promise<number | undefined>((resolve, reject) => {
        const at = number % 2;
        const [{ port }, agent] = [servers[at]!, agents[at]!];
        // A tenth of them to few keys, some of the same bytes.
        const path = `/cache/gradle/${number % 10 === 0 ? `shared-${number % 70}` : `own-${number}`}`;
        const body = number % 5 === 0 ? Buffer.alloc(SIZE, "same") : randomBytes(SIZE);
        const sent = { port, agent, method: "PUT", path, headers: { authorization } };
        request(sent, (answer) => answer.resume().once("end", () => resolve(answer.statusCode)))
          .once("error", reject)
          .end(body);
      });
    const statuses = new Map<number | undefined, number>();
    let next = 0;
    const work = async () => {
      while (next < ENTRIES) {
        const status = await put((next += 1));
        statuses.set(status, (statuses.get(status) ?? 0) + 1);
      }
    };
    await Promise.all(Array.from({ length: CONNECTIONS }, work));
    for (const agent of agents) agent.destroy();
    expect(Object.fromEntries(statuses)).toEqual({ 200: ENTRIES });

    const sent = json(
      "/api/millrace.v1.CacheService/GetUsage",
      { tool: "gradle" },
      { headers: { authorization } },
    );
    const shown = JSON.parse((await send(servers[1]!.port, sent)).body.toString()) as unknown;
    const client = new pg.Client({ connectionString: postgres.url });
    await client.connect();
    const read = async (text: string) => (await client.query<Record<string, string>>(text)).rows[0];
    const held = await read("select count(*) as entries, sum(size) as size_bytes from cache_entries");
    const counted = await read(
      "select sum(entries) as entries, sum(size_bytes) as size_bytes from cache_namespaces",
    );
    const wrong = await read(`select b.digest from blobs b left join cache_entries e on e.digest = b.digest
      group by b.digest having b.reference_count <> count(e.key)`);
    await client.end();
    expect([counted, wrong]).toEqual([held, undefined]);
    expect(JSON.stringify(shown)).toContain(String(held?.["size_bytes"]));
    for (const server of servers) {
      const metrics = await readMetrics(server);
      expect(metrics).toContain(`cache_entries{tool="gradle"} ${held?.["entries"]}\n`);
      expect(metrics).toContain('database_conflicts_total{outcome="refused"} 0\n');
    }
  });
});
