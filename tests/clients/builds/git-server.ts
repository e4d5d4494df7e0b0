/** A Git repository over HTTP, by Git's own program, at an address that builders reach. */
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, writeFileSync } from "node:fs";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { networkInterfaces } from "node:os";
import { join } from "node:path";

export interface GitServer {
  /** `http://192.0.2.2:4000/shop.git` */
  url: string;
  /** The hash of its only commit. */
  commit: string;
  close: () => Promise<void>;
}

/** This machine's address on a network that it shares with others: builders do not reach its loopback. */
export const findAddress = (): string | undefined =>
  Object.values(networkInterfaces())
    .flat()
    .find((each) => each && !each.internal && each.family === "IPv4")?.address;

/** @param files names and texts of the branch `main` */
export async function serveRepository(
  folder: string,
  address: string,
  files: { [name: string]: string },
): Promise<GitServer> {
  const repository = join(folder, "shop.git");
  const identity = ["-c", "user.name=Ada", "-c", "user.email=ada@example.com"];
  const git = (...args: string[]) =>
    execFileSync("git", ["-C", repository, ...identity, ...args], { encoding: "utf8" }).trim();
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(join(repository, name, ".."), { recursive: true });
    writeFileSync(join(repository, name), text);
  }
  git("init", "--quiet", "--initial-branch=main");
  git("add", ".");
  git("commit", "--quiet", "--message=Begin");
  const server = createServer((request, response) => answer(folder, request, response));
  server.listen(0, address);
  await once(server, "listening");
  const at = server.address();
  const port = typeof at === "object" && at ? at.port : 0;
  return {
    url: `http://${address}:${port}/shop.git`,
    commit: git("rev-parse", "HEAD"),
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** https://git-scm.com/docs/git-http-backend */
function answer(folder: string, request: IncomingMessage, response: ServerResponse): void {
  const { pathname, search } = new URL(request.url ?? "/", "http://localhost");
  const program = spawn("git", ["http-backend"], {
    env: {
      PATH: process.env["PATH"],
      GIT_PROJECT_ROOT: folder,
      GIT_HTTP_EXPORT_ALL: "1",
      // The repository belongs to this test, whichever user runs it.
      GIT_CONFIG_COUNT: "1",
      GIT_CONFIG_KEY_0: "safe.directory",
      GIT_CONFIG_VALUE_0: "*",
      REQUEST_METHOD: request.method,
      // A repository with a work tree has the protocol's files in `.git`.
      PATH_INFO: pathname.replace("/shop.git/", "/shop.git/.git/"),
      QUERY_STRING: search.slice(1),
      CONTENT_TYPE: request.headers["content-type"] ?? "",
      HTTP_CONTENT_ENCODING: request.headers["content-encoding"] ?? "",
      GIT_PROTOCOL: String(request.headers["git-protocol"] ?? ""),
    },
    stdio: ["pipe", "pipe", "inherit"],
  });
  request.pipe(program.stdin);
  const chunks: Buffer[] = [];
  program.stdout.on("data", (chunk: Buffer) => chunks.push(chunk));
  program.on("close", () => {
    const bytes = Buffer.concat(chunks);
    const end = bytes.indexOf("\r\n\r\n");
    for (const line of bytes.toString("latin1", 0, end).split("\r\n")) {
      const [name = "", value = ""] = line.split(/: (.*)/);
      if (name === "Status") response.statusCode = Number.parseInt(value, 10);
      else response.setHeader(name, value);
    }
    response.end(bytes.subarray(end + 4));
  });
}
