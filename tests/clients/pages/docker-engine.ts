/**
 * The part of Docker's engine that `--load` needs: where tests run, the real one cannot be started. It takes an image,
 * reads its manifest, and has it from then on.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { z } from "zod";

export interface DockerEngine {
  /** For `DOCKER_HOST`. */
  host: string;
  /** Names of images that it has taken. */
  loaded: string[];
  close: () => Promise<void>;
}

const VERSION = { ApiVersion: "1.51", MinAPIVersion: "1.24", Version: "28.5.1", Os: "linux", Arch: "amd64" };

const indexSchema = z.object({
  manifests: z.array(z.object({ annotations: z.record(z.string(), z.string()).optional() })),
});

/** @param folder for its socket */
export async function startDockerEngine(folder: string): Promise<DockerEngine> {
  const socket = join(folder, "docker.sock");
  const loaded: string[] = [];
  const server = createServer((request, response) => {
    answer(request, response, loaded).catch((error: unknown) => response.writeHead(500).end(String(error)));
  });
  // No builds: no build here may end in Docker by mistake.
  server.on("upgrade", (_, connection) => connection.end("HTTP/1.1 501 Not Implemented\r\n\r\n"));
  server.listen(socket);
  await once(server, "listening");
  return {
    host: `unix://${socket}`,
    loaded,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

async function answer(request: IncomingMessage, response: ServerResponse, loaded: string[]): Promise<void> {
  const path = (request.url ?? "").replace(/^\/v[\d.]+/, "").replace(/\?.*/, "");
  response.setHeader("Api-Version", VERSION.ApiVersion);
  response.setHeader("Docker-Experimental", "false");
  response.setHeader("Ostype", "linux");
  // Says that it has BuildKit, which Docker's command line asks for.
  response.setHeader("Builder-Version", "2");
  if (path === "/_ping") return void response.end("OK");
  if (path === "/version") return sendJson(response, VERSION);
  if (path === "/info")
    return sendJson(response, {
      ServerVersion: VERSION.Version,
      OSType: "linux",
      Driver: "overlayfs",
      DriverStatus: [["driver-type", "io.containerd.snapshotter.v1"]],
    });
  if (path !== "/images/load") return sendJson(response.writeHead(404), { message: `no ${path} here` });
  const names = await readNames(request);
  loaded.push(...names);
  const told = names.map((name) => JSON.stringify({ stream: `Loaded image: ${name}\n` }));
  response.setHeader("content-type", "application/json");
  response.end(`${told.join("\n")}\n`);
}

function sendJson(response: ServerResponse, body: object): void {
  response.setHeader("content-type", "application/json");
  response.end(JSON.stringify(body));
}

/** @returns the names of the images in the archive. @throws Error when it is not one */
async function readNames(archive: IncomingMessage): Promise<string[]> {
  const tar = spawn("tar", ["-xOf", "-", "index.json"], { stdio: ["pipe", "pipe", "ignore"] });
  archive.pipe(tar.stdin);
  // tar has read what it was asked for.
  tar.stdin.on("error", () => archive.resume());
  const { manifests } = indexSchema.parse(JSON.parse(await text(tar.stdout)));
  return manifests.flatMap(({ annotations }) => annotations?.["io.containerd.image.name"] ?? []);
}
