/** The real proxies, with the samples of `deploy/proxies/` on free ports of this machine. */
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { root } from "#server/pages/build-folders.ts";
import { findCaddy } from "../clients/registry/tools.ts";
import { freePort } from "../attack/server-process.ts";

export const HOST = "millrace.example.com";

export interface ProxyKind {
  name: string;
  /** Set by the variable of its name in capitals, for a program that is not in the path. */
  program: string;
  /** Writes its files into the folder. @returns the arguments of the program */
  configure: (place: ProxyPlace) => string[];
}

interface ProxyPlace {
  folder: string;
  /** The host name that clients use, instead of the samples'. */
  host: string;
  /** The port for TLS. */
  port: number;
  /** The port for clear text. */
  plainPort: number;
  /** The port of the server behind it. */
  serverPort: number;
  certificate: string;
  key: string;
}

export interface RunningProxy {
  port: number;
  plainPort: number;
  /** Its self-signed TLS certificate. */
  certificate: string;
  stop: () => Promise<void>;
}

const START_MS = 20_000;
const PAUSE_MS = 20;

const sample = (name: string, host: string) =>
  readFileSync(join(root, "deploy/proxies", name), "utf8").replaceAll(HOST, host);

/** @throws Error when the sample has changed, so that the test would run something else */
function replaceAll(text: string, replacements: readonly (readonly [string, string])[]): string {
  return replacements.reduce((changed, [from, to]) => {
    if (!changed.includes(from)) throw new Error(`The sample has no "${from}" any more.`);
    return changed.replaceAll(from, to);
  }, text);
}

export const proxies: readonly ProxyKind[] = [
  { name: "nginx", program: process.env["NGINX"] ?? "nginx", configure: configureNginx },
  {
    name: "Caddy",
    program: process.env["CADDY"] ?? (await findCaddy()) ?? "caddy",
    configure: configureCaddy,
  },
  { name: "Traefik", program: process.env["TRAEFIK"] ?? "traefik", configure: configureTraefik },
];

function configureNginx({
  folder,
  host,
  port,
  plainPort,
  serverPort,
  certificate,
  key,
}: ProxyPlace): string[] {
  const site = replaceAll(sample("nginx.conf", host), [
    ["  listen [::]:80;\n", ""],
    ["  listen [::]:443 ssl http2;\n", ""],
    ["listen 80;", `listen 127.0.0.1:${plainPort};`],
    ["listen 443 ssl http2;", `listen 127.0.0.1:${port} ssl http2;`],
    ["127.0.0.1:3000", `127.0.0.1:${serverPort}`],
    ["/etc/ssl/millrace/fullchain.pem", certificate],
    ["/etc/ssl/millrace/privkey.pem", key],
  ]);
  const temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map(
    (name) => `${name}_temp_path ${folder}/${name};`,
  );
  writeFileSync(
    join(folder, "nginx.conf"),
    `daemon off; master_process off; pid ${folder}/pid; error_log stderr;
     events {} http { access_log off; ${temporary.join(" ")}\n${site}\n}`,
  );
  return ["-p", folder, "-e", "stderr", "-c", join(folder, "nginx.conf")];
}

function configureCaddy({
  folder,
  host,
  port,
  plainPort,
  serverPort,
  certificate,
  key,
}: ProxyPlace): string[] {
  const site = replaceAll(sample("Caddyfile", host), [
    [`${host} {`, `https://${host}:${port} {\n\tbind 127.0.0.1\n\ttls ${certificate} ${key}`],
    ["127.0.0.1:3000", `127.0.0.1:${serverPort}`],
  ]);
  const file = join(folder, "Caddyfile");
  writeFileSync(file, `{\n\tadmin off\n\thttp_port ${plainPort}\n\thttps_port ${port}\n}\n${site}`);
  return ["run", "--adapter", "caddyfile", "--config", file];
}

function configureTraefik({
  folder,
  host,
  port,
  plainPort,
  serverPort,
  certificate,
  key,
}: ProxyPlace): string[] {
  const routes = join(folder, "millrace.yaml");
  const text = replaceAll(sample("traefik/millrace.yaml", host), [
    ["127.0.0.1:3000", `127.0.0.1:${serverPort}`],
    ["/etc/ssl/millrace/fullchain.pem", certificate],
    ["/etc/ssl/millrace/privkey.pem", key],
  ]);
  writeFileSync(routes, text);
  const file = join(folder, "traefik.yaml");
  const start = replaceAll(sample("traefik/traefik.yaml", host), [
    ['":80"', `"127.0.0.1:${plainPort}"`],
    ['":443"', `"127.0.0.1:${port}"`],
    ["/etc/traefik/millrace.yaml", routes],
  ]);
  writeFileSync(file, start);
  return [`--configFile=${file}`];
}

export function isInstalled({ program }: ProxyKind): boolean {
  return spawnSync(program, ["version"], { stdio: "ignore" }).error === undefined;
}

/** Resolves when it takes connections. @param host that clients use @throws Error with what it printed when it does not */
export async function startProxy(kind: ProxyKind, serverPort: number, host = HOST): Promise<RunningProxy> {
  const folder = mkdtempSync(join(tmpdir(), "proxy-"));
  const [port, plainPort] = [await freePort(), await freePort()];
  const files = makeCertificate(folder, host);
  const place = { folder, host, port, plainPort, serverPort, ...files };
  const child = spawn(kind.program, kind.configure(place), {
    env: { ...process.env, HOME: folder, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk) => (output += String(chunk)));
  const ended = new Promise<void>((resolve) => child.once("close", () => resolve()));
  const deadline = performance.now() + START_MS;
  while (!(await accepts(port))) {
    if (child.exitCode !== null || performance.now() > deadline) {
      child.kill("SIGKILL");
      throw new Error(`${kind.name} does not start:\n${output}`);
    }
    await sleep(PAUSE_MS);
  }
  const { certificate } = files;
  return { port, plainPort, certificate, stop: () => stop(child, ended, folder) };
}

async function stop(child: ChildProcess, ended: Promise<void>, folder: string): Promise<void> {
  child.kill("SIGKILL");
  await ended;
  rmSync(folder, { recursive: true, force: true });
}

export function makeCertificate(folder: string, host: string) {
  const [certificate, key] = [join(folder, "fullchain.pem"), join(folder, "privkey.pem")];
  const name = ["-subj", `/CN=${host}`, "-addext", `subjectAltName=DNS:${host}`];
  const curve = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2"];
  const { status, stderr } = spawnSync(
    "openssl",
    ["req", "-x509", ...curve, ...name, "-keyout", key, "-out", certificate],
    { encoding: "utf8" },
  );
  if (status !== 0) throw new Error(`openssl made no certificate: ${stderr}`);
  return { certificate, key };
}

function accepts(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1");
    socket.once("connect", () => resolve(true)).once("error", () => resolve(false));
    socket.once("connect", () => socket.destroy());
  });
}
