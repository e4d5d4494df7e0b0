/**
 * Records the two builds that the home page shows: Millrace's own server and CLI build `buildctl` from BuildKit's source, first
 * with an empty cache, then after one line of `cmd/buildctl/main.go` has changed. What the API says of both builds' steps becomes
 * `content/marketing/recorded-builds.json`.
 *
 *   npm run node bench/home-race.ts
 *
 * Needs what `bench/builds.ts` needs, and Go, whose toolchain becomes the base image. In a network with its own certificates,
 * `SSL_CERT_FILE` names them.
 */
import { execFile, spawn } from "node:child_process";
import { cpSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { cpus } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import type { Build } from "#api/gen/json-types.ts";
import { type BaseImage, writeImage } from "../tests/clients/builds/base-image.ts";
import { buildCli } from "../tests/clients/cli-process.ts";
import { TOKEN } from "./cache/peers.ts";
import { makeFolder } from "./cache/report.ts";
import { toRace } from "./builds/race.ts";
import { findTools, startMillrace, type Tools } from "./builds/stage.ts";

const run = promisify(execFile);
const OUT = "content/marketing/recorded-builds.json";
const BUILDKIT = "v0.33.0";
const CHANGED = "cmd/buildctl/main.go";

const DOCKERFILE = `FROM go AS build
COPY go.mod go.sum ./
RUN go mod download
COPY . .
RUN --mount=type=cache,target=/root/.cache/go-build go build -o /buildctl ./cmd/buildctl
FROM scratch
COPY --from=build /buildctl /buildctl
`;

const tools = await findTools(makeFolder("/var/tmp", "race"));
const base = await writeGoImage(join(tools.folder, "go"));
const context = await writeSource(join(tools.folder, "context"));
const server = await startMillrace(tools, "server");
try {
  const main = await buildCli(join(tools.folder, "cli"));
  const project = await server.createProject("buildctl");
  const buildOnce = async (): Promise<Build> => {
    await build(main, project);
    const { builds } = await server.call("BuildService/ListBuilds", { project_id: project, page_size: 1 });
    return (await server.call("BuildService/GetBuild", { build_id: builds[0].id })).build;
  };
  const cold = await buildOnce();
  changeOneLine(join(context, CHANGED));
  const race = toRace({ cold, warm: await buildOnce() });
  const about = {
    recorded: new Date().toISOString().slice(0, 10),
    source: `BuildKit ${BUILDKIT}`,
    changed: CHANGED,
    cpus: cpus().length,
  };
  writeFileSync(OUT, `${JSON.stringify({ ...about, ...race }, null, 2)}\n`);
} finally {
  await server.stop();
}

/** Go's toolchain of this machine, with a shell. */
async function writeGoImage(folder: string): Promise<BaseImage> {
  const { stdout } = await run("go", ["env", "GOROOT"]);
  const root = join(folder, "root");
  cpSync(join(tools.folder, "base/root"), root, { recursive: true, verbatimSymlinks: true });
  cpSync(stdout.trim(), join(root, "usr/local/go"), { recursive: true, verbatimSymlinks: true });
  mkdirSync(join(root, "etc/ssl/certs"), { recursive: true });
  const certificates = process.env["SSL_CERT_FILE"] ?? "/etc/ssl/certs/ca-certificates.crt";
  cpSync(certificates, join(root, "etc/ssl/certs/ca-certificates.crt"), { dereference: true });
  const Env = ["PATH=/bin:/usr/local/go/bin", "GOPATH=/go", "CGO_ENABLED=0", "GOFLAGS=-mod=mod"];
  return writeImage(folder, root, { Env, WorkingDir: "/src" });
}

async function writeSource(folder: string): Promise<string> {
  const { stdout } = await run("go", ["mod", "download", "-json", `github.com/moby/buildkit@${BUILDKIT}`]);
  const { Dir: from } = JSON.parse(stdout) as { Dir: string };
  await run("cp", ["--recursive", "--no-preserve=mode", from, folder]);
  writeFileSync(join(folder, "Dockerfile"), DOCKERFILE);
  return folder;
}

function changeOneLine(file: string): void {
  const text = readFileSync(file, "utf8");
  const changed = text.replace('"build utility"', '"a build utility"');
  if (changed === text) throw new Error(`${file} does not have the line that was to change.`);
  writeFileSync(file, changed);
}

async function build(main: string, project: string): Promise<void> {
  const args = [main, "build", "--save", "--save-tag", "main", "--progress", "plain"];
  const home = join(tools.folder, "home");
  mkdirSync(home, { recursive: true });
  const child = spawn(process.execPath, [...args, "--build-context", layoutOf(base), "."], {
    cwd: context,
    env: { PATH: process.env["PATH"], HOME: home, ...environment(tools, project) },
    stdio: ["ignore", "inherit", "inherit"],
  });
  const code = await new Promise((resolve) => child.once("close", resolve));
  if (code !== 0) throw new Error(`The build ended with ${String(code)}.`);
}

function layoutOf({ folder, digest }: BaseImage): string {
  return `go=oci-layout://${folder}@${digest}`;
}

function environment({ buildx }: Tools, project: string) {
  return {
    MILLRACE_URL: server.origin,
    MILLRACE_TOKEN: TOKEN,
    MILLRACE_PROJECT: project,
    MILLRACE_BUILDX: buildx,
  };
}
