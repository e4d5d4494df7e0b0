/**
 * A large build context over each route to a builder, in turn: a separate port, TLS on the server's port, and a tunnel through
 * nginx, which terminates TLS. Time of the whole `millrace build`, with buildx, and CPU of the server. Needs what
 * `one-port.test.ts` needs.
 *
 *   node bench/builds-ways.ts --megabytes 400 --runs 3
 */
import { randomFillSync } from "node:crypto";
import { closeSync, mkdirSync, mkdtempSync, openSync, rmSync, writeFileSync, writeSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { freePort } from "../tests/attack/server-process.ts";
import { type BuildServer, OWNER_TOKEN, startBuildServer } from "../tests/clients/builds/build-server.ts";
import { buildCli, runCli } from "../tests/clients/cli-process.ts";
import { findBuildKit, findBuildx } from "../tests/clients/registry/tools.ts";
import { proxies, startProxy } from "../tests/deploy/proxy-process.ts";

const { values } = parseArgs({
  options: { megabytes: { type: "string", default: "400" }, runs: { type: "string", default: "3" } },
});
const MB = 1_000_000;
const [buildkit, buildx] = [await findBuildKit(), await findBuildx()];
if (buildkit === null || buildx === null) throw new Error("BuildKit and buildx are needed.");
process.env["BUILDKITD"] = join(buildkit, "buildkitd");
const folder = mkdtempSync("/var/tmp/millrace-ways-");
const [work, home] = [join(folder, "work"), join(folder, "home")];
for (const path of [work, home]) mkdirSync(path);
const main = await buildCli(join(folder, "package"));
const port = await freePort();
const nginx = await startProxy(proxies[0]!, port, "localhost");
const behind = { SITE_ORIGIN: `https://localhost:${nginx.port}`, TRUSTED_PROXIES: "loopback" };

interface Way {
  name: string;
  server: BuildServer;
  project: string;
}

async function open(name: string, env: Record<string, string>, at?: number): Promise<Way> {
  const server = await startBuildServer({ folder: join(folder, name), env, ...(at && { port: at }) });
  const { body } = await server.call("ProjectService/Create", { name: "web" });
  return { name, server, project: body.project.id };
}

/** New bytes each time, or only changes would be sent. */
const bytes = Buffer.alloc(MB);
function writeContext(): void {
  const file = openSync(join(work, "large"), "w");
  for (let left = Number(values.megabytes); left > 0; left -= 1) writeSync(file, randomFillSync(bytes));
  closeSync(file);
}

async function send({ server, project }: Way): Promise<{ seconds: number; cpu: number }> {
  writeContext();
  const env = {
    HOME: home,
    MILLRACE_URL: server.origin,
    MILLRACE_TOKEN: OWNER_TOKEN,
    MILLRACE_BUILDX: buildx ?? "",
    NODE_EXTRA_CA_CERTS: nginx.certificate,
  };
  const [before, cpu] = [performance.now(), process.cpuUsage()];
  const ended = await runCli(main, ["build", "--project", project, "."], { env, cwd: work });
  if (ended.code !== 0) throw new Error(ended.stderr);
  const { user, system } = process.cpuUsage(cpu);
  return { seconds: (performance.now() - before) / 1000, cpu: (user + system) / 1e6 };
}

writeFileSync(join(work, "Dockerfile"), "FROM scratch\nCOPY large /\n");
const ways = [
  await open("port", { MILLRACE_BUILDER_PORT: "0" }),
  await open("name", {}),
  await open("tunnel", behind, port),
];
try {
  for (let round = 0; round < Number(values.runs); round += 1)
    for (const way of ways) {
      const { seconds, cpu } = await send(way);
      console.log(`${way.name}\t${seconds.toFixed(2)} s\tCPU of the server ${cpu.toFixed(2)} s`);
    }
  console.log(`tunnels\t${ways.map(({ server }) => server.tunnels()).join(" ")}`);
} finally {
  await Promise.all(ways.map(({ server }) => server.close()));
  await nginx.stop();
  rmSync(folder, { recursive: true, force: true });
}
