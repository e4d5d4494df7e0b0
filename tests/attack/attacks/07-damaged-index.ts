import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Attack, Stage } from "../attack.ts";
import { addDocuments, ask, countDocuments, finish, numbered, read, type Task } from "../documents.ts";
import type { RunningServer } from "../server-process.ts";

const uid = "damaged";
const DOCUMENTS = 200;

export const damagedIndex: Attack = {
  item: 7,
  name: "a damaged index file",
  bound: "What cannot be read is put aside, never overwritten; writes to it are refused and /health says so.",
  async run(stage) {
    const kinds: [string, (bytes: Buffer) => Buffer][] = [
      ["one byte is another", (bytes) => flip(bytes)],
      ["the second half is gone", (bytes) => bytes.subarray(0, bytes.length / 2)],
    ];
    for (const [name, damage] of stage.isShort ? kinds.slice(0, 1) : kinds)
      await attackOne(stage, name, damage);
  },
};

function flip(bytes: Buffer): Buffer {
  const copy = Buffer.from(bytes);
  const at = Math.floor(copy.length * 0.7);
  copy[at] = copy[at]! ^ 0x55;
  return copy;
}

async function attackOne(stage: Stage, name: string, damage: (bytes: Buffer) => Buffer): Promise<void> {
  const dataDir = stage.dataDir();
  const first = await stage.server({ dataDir });
  const { taskUid } = read<Task>(await addDocuments(first, uid, numbered(DOCUMENTS, "kept")));
  await finish(first, taskUid);
  await first.stop();

  const file = indexFile(dataDir);
  if (!stage.check(file !== undefined, `${name}: no file of the index was found in ${dataDir}/search`))
    return;
  const damaged = damage(readFileSync(file!));
  writeFileSync(file!, damaged);

  const second = await stage.server({ dataDir });
  const health = read<{ status: string }>(await ask(second, "/health"));
  stage.check(health.status !== "available", `${name}: /health says "${health.status}"`);
  await write(stage, second, name);
  const count = await countDocuments(second, uid);
  stage.check(count === null || count === DOCUMENTS, `${name}: ${DOCUMENTS} documents became ${count}`);
  const isKept = filesBelow(join(dataDir, "search")).some((path) => readFileSync(path).equals(damaged));
  stage.check(isKept, `${name}: the damaged file is gone`);
  stage.report(`an index file: ${name}`, `/health says ${health.status}, documents: ${count ?? "refused"}`);
}

/** A write that would replace what can still be saved. */
async function write(stage: Stage, server: RunningServer, name: string): Promise<void> {
  const answer = await addDocuments(server, uid, numbered(1, "new"));
  const task = answer.status === 202 ? await finish(server, read<Task>(answer).taskUid) : undefined;
  const isRefused = answer.status >= 400 || task?.status === "failed";
  stage.check(isRefused, `${name}: a write to it was answered ${answer.status} and its task ${task?.status}`);
}

/** The largest file with the index's name in its own name or its first bytes. */
function indexFile(dataDir: string): string | undefined {
  return filesBelow(join(dataDir, "search"))
    .filter((path) => !/\.(sqlite|json|tmp)/.test(path))
    .filter(
      (path) => readFileSync(path).subarray(0, 500).toString("latin1").includes(uid) || path.includes(uid),
    )
    .sort((a, b) => readFileSync(b).length - readFileSync(a).length)[0];
}

function filesBelow(folder: string): string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
}
