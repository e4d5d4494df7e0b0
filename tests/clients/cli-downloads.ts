/** A server's downloads, for tests: the packed CLI in two builds, served by the small Millrace of these tests. */
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { globSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import type { IncomingMessage, ServerResponse } from "node:http";
import { join } from "node:path";
import { packCli } from "../../cli/pack.ts";

export interface Downloads {
  /** Served below `/`; a test may add files. */
  folder: string;
  /** `0.1.0-1a2b3c4d` */
  version: string;
}

export async function packDownloads(folder: string, origin: string): Promise<Downloads> {
  const { version } = await packCli(folder, origin);
  return { folder, version };
}

/** The same package with another version, as if from other sources. @param version `0.2.0-ffffffff` */
export function packOtherBuild(of: Downloads, folder: string, version: string): Downloads {
  const draft = join(folder, "draft");
  for (const each of [draft, join(folder, "cli")]) mkdirSync(each, { recursive: true });
  execFileSync("tar", ["-xzf", join(of.folder, "cli", "millrace.tgz"), "-C", draft]);
  const [[number = "", build = ""], [otherNumber = "", otherBuild = ""]] = [
    of.version.split("-"),
    version.split("-"),
  ];
  for (const file of globSync("package/{dist/**/*.js,package.json}", { cwd: draft })) {
    const text = readFileSync(join(draft, file), "utf8");
    writeFileSync(
      join(draft, file),
      text
        .replaceAll(build, otherBuild)
        .replaceAll(`"${number}"`, `"${otherNumber}"`)
        .replaceAll(`\`${number}\``, `\`${otherNumber}\``),
    );
  }
  const archive = join(folder, "cli", `millrace-${version}.tgz`);
  execFileSync("tar", ["-czf", archive, "-C", draft, "package"]);
  writeFileSync(join(folder, "cli", "millrace.tgz"), readFileSync(archive));
  const script = readFileSync(join(of.folder, "install.sh"), "utf8");
  const sum = (path: string) => createHash("sha256").update(readFileSync(path)).digest("hex");
  const changed = script
    .replaceAll(of.version, version)
    .replaceAll(sum(join(of.folder, "cli", "millrace.tgz")), sum(archive));
  writeFileSync(join(folder, "install.sh"), changed);
  return { folder, version };
}

export interface ServedDownloads {
  current: Downloads;
  /** Replaces a file's bytes. */
  change?: ((path: string, bytes: Buffer) => Buffer) | undefined;
  /** Paths that were asked for. */
  asked: string[];
}

/** Answers for files, and names the current CLI in every other answer. @returns whether it has answered */
export function serveDownloads(served: ServedDownloads) {
  return (request: IncomingMessage, response: ServerResponse): boolean => {
    response.setHeader("Millrace-Cli", served.current.version);
    const path = request.url ?? "";
    if (!/^\/(?:install\.|cli\/)/.test(path)) return false;
    served.asked.push(path);
    const bytes = readIfThere(join(served.current.folder, path));
    if (!bytes) response.writeHead(404).end();
    else if (request.method === "HEAD") response.end();
    else {
      const sent = served.change?.(path, bytes) ?? bytes;
      // The length of the whole file, so that missing bytes are noticed.
      response.setHeader("content-length", bytes.length);
      if (sent.length === bytes.length) response.end(sent);
      else response.write(sent, () => response.destroy());
    }
    return true;
  };
}

function readIfThere(path: string): Buffer | undefined {
  try {
    return readFileSync(path);
  } catch {
    return undefined;
  }
}
