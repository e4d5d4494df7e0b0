/** Two npm packages and a registry for them, for an installation that contacts no other server. */
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";

export interface NpmPackages {
  /** `package.json` and `package-lock.json` of a project that needs `basket` to run and `compiler` to be built. */
  manifests: { [name: string]: string };
  close: () => Promise<void>;
}

export async function serveNpmPackages(folder: string): Promise<NpmPackages> {
  const archives = new Map(["basket", "compiler"].map((name) => [name, pack(folder, name)]));
  const server = createServer(({ url = "" }, response) => {
    const archive = archives.get(/^\/(\w+)\.tgz$/.exec(url)?.[1] ?? "");
    response.writeHead(archive ? 200 : 404).end(archive);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  // A port of TCP has an address with a port.
  const { port } = server.address() as AddressInfo;
  const entry = (name: string, more = {}) => {
    const integrity = `sha512-${createHash("sha512").update(archives.get(name)!).digest("base64")}`;
    const resolved = `http://127.0.0.1:${port}/${name}.tgz`;
    return [`node_modules/${name}`, { version: "1.0.0", resolved, integrity, ...more }] as const;
  };
  const project = {
    name: "shop",
    version: "1.0.0",
    dependencies: { basket: "1.0.0" },
    devDependencies: { compiler: "1.0.0" },
  };
  const packages = Object.fromEntries([["", project], entry("basket"), entry("compiler", { dev: true })]);
  const scripts = { build: "mkdir -p dist && cp code/server.ts dist/server.js" };
  return {
    manifests: {
      "package.json": JSON.stringify({ ...project, scripts }),
      "package-lock.json": JSON.stringify({ name: "shop", version: "1.0.0", lockfileVersion: 3, packages }),
    },
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function pack(folder: string, name: string): Buffer {
  const inside = join(folder, name, "package");
  mkdirSync(inside, { recursive: true });
  writeFileSync(join(inside, "package.json"), JSON.stringify({ name, version: "1.0.0" }));
  const archive = join(folder, `${name}.tgz`);
  execFileSync("tar", ["-czf", archive, "-C", join(folder, name), "package"]);
  return readFileSync(archive);
}
