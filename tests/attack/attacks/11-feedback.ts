import { rmSync, statfsSync, writeFileSync } from "node:fs";
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import type { Attack, Stage } from "../attack.ts";
import { read } from "../documents.ts";
import { type Answer, json, send, type Sent } from "../requests.ts";
import type { RunningServer } from "../server-process.ts";
import { asOwner } from "../sign-in.ts";

const answer = { path: "/docs/faq", answer: "no", text: "x".repeat(1900) };
const DISK_BYTES = 12 * 1024 * 1024;
/** The most answers sent to fill a disk. */
const TRIES = 40;

export const feedback: Attack = {
  item: 11,
  name: "feedback from elsewhere, and on a full disk",
  bound:
    "204 only for what is kept; 507 on a full disk and 204 again when there is space; no page of another site posts.",
  async run(stage) {
    const server = await stage.target();
    const foreign: [string, Sent["headers"]][] = [
      ["Origin", { origin: "https://evil.example" }],
      ["Sec-Fetch-Site", { "sec-fetch-site": "cross-site", origin: "https://evil.example" }],
      ["a form's type", { "content-type": "text/plain", origin: "https://evil.example" }],
    ];
    for (const path of ["/feedback", "/your-data/erase"])
      for (const [name, headers] of foreign) {
        const { status } = await send(
          server.port,
          json(path, answer, { headers: headers ?? {}, from: stage.address() }),
        );
        stage.check(
          status >= 400 && status < 500 && status !== 404,
          `${path} of another site (${name}): ${status}`,
        );
      }
    await fullDisk(stage);
  },
};

async function fullDisk(stage: Stage): Promise<void> {
  const disk = smallDisk(stage.dataDir());
  if (!disk) return stage.notTried("feedback on a full disk", "this machine lets no one mount", "root");
  const server = await stage.server({ dataDir: disk.dataDir, wrapper: disk.wrapper });
  // Only the server sees the disk; from here it is reached through its process.
  const seen = join(`/proc/${server.pid}/root`, disk.dataDir);
  const ballast = join(seen, "ballast");
  const before = await post(stage, server);
  stage.check(before.status === 204, `feedback was answered ${before.status} while there was space`);
  fill(ballast, seen);
  const statuses: number[] = [];
  for (let at = 0; at < TRIES; at++) statuses.push((await post(stage, server, at)).status);
  const refused = statuses.filter((status) => status === 507).length;
  stage.check(refused > 0, `a full disk was answered ${[...new Set(statuses)].join(", ")}, never 507`);
  stage.check(
    statuses.every((status) => [204, 507].includes(status)),
    `a full disk was answered ${[...new Set(statuses)].join(", ")}`,
  );
  rmSync(ballast);
  const after = await post(stage, server, TRIES);
  stage.check(after.status === 204, `with space again feedback is answered ${after.status}`);
  const health = read<{ lastError: unknown }>(
    await send(server.port, { path: "/console/api/health", headers: asOwner }),
  );
  stage.check(
    health.lastError === null,
    `lastError stays ${JSON.stringify(health.lastError)} after it is over`,
  );
  stage.report("feedback on a full disk", `${refused} of ${TRIES} answered 507, then ${after.status}`);
}

/** Each from a different reader. */
function post(stage: Stage, server: RunningServer, at = 0): Promise<Answer> {
  const body = { ...answer, text: `${at} ${answer.text}` };
  return send(server.port, json("/feedback", body, { from: stage.address(at) }));
}

/** Fills all space that is left, to the last block. */
function fill(file: string, folder: string): void {
  const chunk = Buffer.alloc(4096, 1);
  for (let left = DISK_BYTES / chunk.length; left > 0; left--) {
    try {
      writeFileSync(file, chunk, { flag: "a" });
    } catch {
      // The disk is full, as it should be.
      break;
    }
  }
  if (statfsSync(folder).bavail > 0) throw new Error(`${folder} could not be filled.`);
}

/** A file system of a few megabytes that ends with the server; null where mounting is not allowed. */
function smallDisk(dataDir: string): { dataDir: string; wrapper: string[] } | null {
  const mount = `mount -t tmpfs -o size=${DISK_BYTES} tmpfs ${dataDir}`;
  const unshare = ["unshare", ...(process.getuid?.() === 0 ? [] : ["-r"]), "-m"];
  const isPossible = spawnSync(unshare[0]!, [...unshare.slice(1), "sh", "-c", mount]).status === 0;
  return isPossible ? { dataDir, wrapper: [...unshare, "sh", "-c", `${mount} && exec "$0" "$@"`] } : null;
}
