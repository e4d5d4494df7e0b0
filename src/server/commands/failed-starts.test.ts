/**
 * A start that fails, for any reason and however much is open by then:
 * 1. The process ends with exit code 1, says once what is wrong and what to do, and never claims to be ready. The next process
 *    gets its `DATA_DIR`. On a full disk it says so, whichever step of the start runs out of space.
 * 2. The same holds for a command that fails while something would keep its process alive, or would catch its error.
 */
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { chmodSync, mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { type AddressInfo, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { expect, test } from "vitest";
import { openDataFolder } from "#platform/locks/data-folder.ts";
import { buildFolders, root } from "../pages/build-folders.ts";

interface Failing {
  /** `DATA_DIR` before the start. */
  data: string;
  /** `BUILD_DIR`: complete according to its stamps. */
  build: string;
}

type Prepare = (failing: Failing) => NodeJS.ProcessEnv | Promise<NodeJS.ProcessEnv>;

const FAILURES: readonly [what: string, prepare: Prepare, said: RegExp][] = [
  ["a wrong variable", () => ({ PORT: "many" }), /PORT/],
  ["no certificate", () => ({ TLS_CERT: "/none/c.pem", TLS_KEY: "/none/k.pem" }), /TLS_CERT/],
  [
    "a port that is taken",
    async () => {
      const taken = createServer().listen(0, "127.0.0.1");
      await once(taken, "listening");
      taken.unref();
      return { PORT: String((taken.address() as AddressInfo).port) };
    },
    /^Port \d+ on 127\.0\.0\.1 is in use: stop the program/,
  ],
  [
    "a DATA_DIR that is a file",
    ({ data }) => {
      writeFileSync(join(data, "file"), "");
      return { DATA_DIR: join(data, "file") };
    },
    /^DATA_DIR .* cannot be used \(.*\): set it to a folder that this user can write\./,
  ],
  ["no build", ({ data }) => ({ BUILD_DIR: join(data, "none") }), /^There is no build in /],
  [
    "a secret key that others can read",
    ({ data }) => {
      writeFileSync(join(data, "secret.key"), "");
      chmodSync(join(data, "secret.key"), 0o644);
      return {};
    },
    /secret\.key can be read by other users/,
  ],
  [
    "a broken secret key",
    ({ data }) => {
      writeFileSync(join(data, "secret.key"), "short", { mode: 0o600 });
      return {};
    },
    /secret\.key is damaged: .*Restore it from a backup/,
  ],
  [
    "a database that is unreachable",
    () => ({ MILLRACE_DATABASE_URL: "postgres://me:s3cret@127.0.0.1:9/none" }),
    /PostgreSQL at 127\.0\.0\.1:9\/none cannot be used \(.*\): start it, or correct the host and port/,
  ],
  [
    "a newer database",
    ({ data }) => {
      const db = new DatabaseSync(join(data, "millrace.db"));
      db.exec(`create table migrations (name text primary key, release integer not null, ran_at bigint not null);
        insert into migrations values ('of-later', 99, 0)`);
      db.close();
      return {};
    },
    /was changed by a server that is \d+ releases newer than this one/,
  ],
  [
    "a damaged database",
    ({ data }) => {
      writeFileSync(join(data, "millrace.db"), "not a database ".repeat(500));
      return {};
    },
    /millrace\.db is damaged: restore a backup/,
  ],
  [
    "a blob store that is unreachable",
    () => ({
      MILLRACE_BLOB_URL: "s3://none?endpoint=http://127.0.0.1:9&region=us-east-1",
      AWS_ACCESS_KEY_ID: "a",
      AWS_SECRET_ACCESS_KEY: "b",
    }),
    /^Blobs cannot be stored in the bucket none \(.*\): correct MILLRACE_BLOB_URL/m,
  ],
  ["builders without a cluster", () => ({ MILLRACE_BUILDERS: "kubernetes" }), /^[^\n]*cluster[^\n]*\n$/],
  // From here on the database is open, and all rooms with their background work.
  ["a build whose files are gone", () => ({}), /ENOENT: .*release/],
  [
    "a build whose index is gone",
    ({ build }) => {
      writeFileSync(join(build, "site", "release"), "of the test");
      mkdirSync(join(build, "cli", "cli"), { recursive: true });
      writeFileSync(join(build, "cli", "cli", "millrace-0.1.0-test.tgz"), "");
      for (const page of ["index.html", "frame.html"]) writeFileSync(join(build, "console", page), "");
      return {};
    },
    /^The index of the site's pages cannot be used \(.*\): remove .* and start again/m,
  ],
];

function makeFolders(): Failing {
  const folder = mkdtempSync(join(tmpdir(), "failed-start-"));
  const [data, build] = [join(folder, "data"), join(folder, "build")];
  mkdirSync(data);
  const { build: _, ...steps } = buildFolders(build);
  for (const step of Object.values(steps)) mkdirSync(step, { recursive: true });
  const stamps = Object.fromEntries(Object.keys(steps).map((name) => [name, "of the test"]));
  writeFileSync(join(build, "stamps.json"), JSON.stringify(stamps));
  return { data, build };
}

async function run(args: readonly string[], env: NodeJS.ProcessEnv) {
  const child = spawn(process.execPath, ["--disable-warning=ExperimentalWarning", ...args], {
    cwd: root,
    env: { ...process.env, ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let [output, errors] = ["", ""];
  child.stdout.on("data", (chunk) => (output += String(chunk)));
  child.stderr.on("data", (chunk) => (errors += String(chunk)));
  const [code] = (await once(child, "close")) as [number | null];
  return { code, output, errors };
}

test.concurrent.for(FAILURES)("1. %s", { timeout: 300_000 }, async ([, prepare, said], { expect }) => {
  const failing = makeFolders();
  const env = await prepare(failing);
  const { code, output, errors } = await run(["src/server/main.ts"], {
    HOST: "127.0.0.1",
    PORT: "0",
    MILLRACE_BUILDER_PORT: "0",
    DATA_DIR: failing.data,
    BUILD_DIR: failing.build,
    ...env,
  });
  expect([code, errors]).toEqual([1, expect.stringMatching(said)]);
  expect(errors).not.toContain("s3cret");
  expect(output).not.toContain("Millrace is at");
  openDataFolder(failing.data, "the next one").close();
});

test("1. a DATA_DIR that another has", { timeout: 120_000 }, async () => {
  const { data, build } = makeFolders();
  const held = openDataFolder(data, "http://localhost:3999");
  const env = { HOST: "127.0.0.1", PORT: "0", DATA_DIR: data, BUILD_DIR: build };
  const { code, errors } = await run(["src/server/main.ts"], env);
  held.close();
  expect([code, errors]).toEqual([1, expect.stringMatching(/is in use by the server at .*3999/)]);
});

const canMount = spawnSync("unshare", ["--mount", "true"]).status === 0;

test.skipIf(!canMount).concurrent.for(["8k", "64k", "600k"])(
  "1. a disk with %s of room",
  { timeout: 300_000 },
  async (size, { expect }) => {
    const { data, build } = makeFolders();
    const script = `mount -t tmpfs -o size=${size} none "$1" && exec "$2" --disable-warning=ExperimentalWarning src/server/main.ts`;
    const child = spawn("unshare", ["--mount", "sh", "-c", script, "sh", data, process.execPath], {
      cwd: root,
      env: { ...process.env, HOST: "127.0.0.1", PORT: "0", DATA_DIR: data, BUILD_DIR: build },
      stdio: ["ignore", "pipe", "pipe"],
    });
    let errors = "";
    child.stderr.on("data", (chunk) => (errors += String(chunk)));
    const [code] = (await once(child, "close")) as [number | null];
    expect([code, errors]).toEqual([1, expect.stringMatching(/^[^\n]*full: free some space[^\n]*\n$/)]);
  },
);

test.each([
  ["new Error('a bug')", /Error: a bug\n\s+at /],
  ["new UserError('Do this.')", /^Do this\.\n$/],
  ["'no error'", /no error/],
])("2. a command that throws %s", async (thrown, said) => {
  const href = (path: string) => JSON.stringify(new URL(path, import.meta.url).href);
  const script = `import { runCommand } from ${href("./run-command.ts")};
    import { UserError } from ${href("../../platform/environment/user-error.ts")};
    for (const event of ["uncaughtException", "unhandledRejection"]) process.on(event, () => {});
    await runCommand(async () => { setInterval(() => {}, 1000); throw ${thrown}; });`;
  const { code, errors } = await run(["--input-type=module", "--eval", script], {});
  expect([code, errors]).toEqual([1, expect.stringMatching(said)]);
});
