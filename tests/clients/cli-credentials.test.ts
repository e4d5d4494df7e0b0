/**
 * The credentials file, in the presence of other readers and writers.
 * 1. A file that others can read is refused, with what to do; a folder that others can write to is closed.
 * 2. A damaged file is an error; a login moves it aside and writes a new file.
 * 3. Twenty simultaneous logins, to twenty servers: every entry is there, and no lock or draft is left over.
 * 4. A lock of a process that died is removed.
 * 5. A link stays a link; a read-only file system is reported before a token is made.
 * 6. Windows has its own path.
 */
import {
  chmodSync,
  chownSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { findCredentialsFile } from "../../cli/src/credentials.ts";
import { buildCli, makePlace, runCli, type RunOptions } from "./cli-process.ts";
import { type CliServer, ORGANIZATION_TOKEN, startCliServer } from "./cli-server.ts";

const NOBODY = 65_534;
const place = makePlace();
let main: string;
let server: CliServer;
let home: string;

beforeAll(async () => {
  main = await buildCli(join(place.path, "package"));
}, 120_000);
afterAll(place.remove);
beforeEach(async () => {
  server = await startCliServer();
  home = place.home();
  if (process.getuid?.() === 0) chownSync(home, NOBODY, NOBODY);
});
afterEach(() => server.close());

const folder = () => join(home, ".config", "millrace");
const path = () => join(folder(), "credentials.json");
const read = () => JSON.parse(readFileSync(path(), "utf8")) as { current: string; servers: object };

const millrace = (args: string, options: RunOptions = {}) =>
  runCli(main, args.split(" "), {
    asNobody: true,
    cwd: home,
    ...options,
    env: { HOME: home, MILLRACE_URL: server.origin, ...options.env },
  });
const login = (options: RunOptions = {}) =>
  millrace("login --token -", { input: ORGANIZATION_TOKEN, ...options });

test.each([0o640, 0o604, 0o660])("1. mode %o", async (mode) => {
  await login();
  chmodSync(path(), mode);
  for (const command of ["whoami", "logout", "orgs switch acme"]) {
    const { code, stdout, stderr } = await millrace(command);
    expect([code, stdout]).toEqual([3, ""]);
    expect(stderr).toBe(
      "millrace: ~/.config/millrace/credentials.json can be read by other users. Run: chmod 600 ~/.config/millrace/credentials.json\n",
    );
  }
  expect((await login()).code).toBe(3);
  chmodSync(path(), 0o600);
  chmodSync(folder(), 0o777);
  expect((await login()).code).toBe(0);
  expect(statSync(folder()).mode & 0o777).toBe(0o755);
});

test.each([
  ["cut off", '{"servers": {"http'],
  ["empty", ""],
  ["a list", "[]"],
  ["without servers", "{}"],
  ["with an entry of another kind", '{"servers": {"http://a": "mr_user_x"}}'],
  ["with a token of another kind", '{"servers": {"http://a": {"token": 7}}}'],
  ["larger than any", `{"servers": {}, "x": "${"x".repeat(2 ** 21)}"}`],
])("2. %s", async (_, text) => {
  await login();
  writeFileSync(path(), text);
  expect(await millrace("whoami")).toMatchObject({
    code: 3,
    stderr: expect.stringContaining("~/.config/millrace/credentials.json is damaged"),
  });
  const again = await login();
  expect(again.stderr).toContain("was damaged and has been renamed to");
  expect(read().servers).toHaveProperty([server.origin]);
  const [kept] = readdirSync(folder()).filter((name) => name.includes("damaged"));
  expect(readFileSync(join(folder(), kept!), "utf8")).toBe(text);
  expect(statSync(join(folder(), kept!)).mode & 0o777).toBe(0o600);
});

test("3. twenty logins at once", async () => {
  // One server, at twenty of the machine's own addresses.
  const everywhere = await startCliServer("0.0.0.0");
  const { port } = new URL(everywhere.origin);
  const origins = Array.from({ length: 20 }, (_, index) => `http://127.0.0.${index + 1}:${port}`);
  const ended = await Promise.all(origins.map((origin) => login({ env: { MILLRACE_URL: origin } })));
  await everywhere.close();
  expect(ended.map(({ stderr }) => stderr)).toEqual(
    ended.map(() => "Stored a token for organization acme\n"),
  );
  expect(Object.keys(read().servers).toSorted()).toEqual(origins.toSorted());
  expect(readdirSync(folder())).toEqual(["credentials.json"]);
}, 120_000);

test("4. the lock of a process that died", async () => {
  await login();
  // No system counts processes as far as this.
  writeFileSync(`${path()}.lock`, "4999999 0123456789abcdef");
  utimesSync(`${path()}.lock`, 0, 0);
  expect((await login()).code).toBe(0);
  expect(readdirSync(folder())).toEqual(["credentials.json"]);
});

test("5. links, and folders that cannot be written", async () => {
  mkdirSync(join(home, "dotfiles"), { mode: 0o700 });
  mkdirSync(folder(), { recursive: true, mode: 0o700 });
  if (process.getuid?.() === 0)
    for (const one of [join(home, "dotfiles"), join(home, ".config"), folder()])
      chownSync(one, NOBODY, NOBODY);
  symlinkSync(join("..", "..", "dotfiles", "millrace.json"), path());
  expect((await login()).code).toBe(0);
  expect(lstatSync(path()).isSymbolicLink()).toBe(true);
  expect(realpathSync(path())).toBe(join(home, "dotfiles", "millrace.json"));
  expect((await millrace("whoami")).code).toBe(0);

  chmodSync(join(home, "dotfiles"), 0o500);
  expect((await millrace("whoami")).code).toBe(0);
  const refused = await millrace("login");
  expect(refused.code).toBe(1);
  expect(refused.stderr).toMatch(
    /credentials\.json cannot be written \(EACCES\): set MILLRACE_TOKEN instead/,
  );
  expect(server.given).toEqual([]);
});

test("6. paths", () => {
  expect(findCredentialsFile({ APPDATA: "C:\\Users\\ada\\AppData\\Roaming" }, "win32").path).toMatch(
    /^C:\\Users\\ada\\AppData\\Roaming.millrace.credentials\.json$/,
  );
});
