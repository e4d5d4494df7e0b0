/**
 * 1. The first start creates a key that only its user can read; every later start reads the same key.
 * 2. The variable takes precedence, and no file is created.
 * 3. A damaged file, and a file that others can read, is refused with the remedy, which names all that the key protects; its content
 *    is not printed.
 * 4. Before the first start there is none.
 */
import { chmodSync, existsSync, mkdtempSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { parseEnvironment } from "./environment.ts";
import { house } from "./house.ts";
import { openSecretKey, readSecretKey, refuseOpenSecretKey } from "./secret-key.ts";
import { UserError } from "#platform/environment/user-error.ts";

const newEnv = (more: { [name: string]: string } = {}) =>
  parseEnvironment({ DATA_DIR: mkdtempSync(join(tmpdir(), "key-")), ...more });
const fileIn = (env: { DATA_DIR: string }) => join(env.DATA_DIR, "secret.key");

test("1. and 4. made once", async () => {
  const env = newEnv();
  expect(await readSecretKey(env)).toBeNull();
  const key = await openSecretKey(env);
  expect(key).toHaveLength(32);
  expect(Buffer.from(readFileSync(fileIn(env), "utf8"), "base64")).toEqual(key);
  if (process.platform !== "win32") expect(statSync(fileIn(env)).mode & 0o777).toBe(0o600);
  expect(await openSecretKey(env)).toEqual(key);
  expect(await readSecretKey(env)).toEqual(key);
});

test("2. the variable", async () => {
  const text = Buffer.alloc(32, 251).toString("base64");
  for (const MILLRACE_SECRET_KEY of [text, text.replaceAll("+", "-").replaceAll("/", "_").replace("=", "")]) {
    const env = newEnv({ MILLRACE_SECRET_KEY });
    expect(await openSecretKey(env)).toEqual(Buffer.alloc(32, 251));
    expect(existsSync(fileIn(env))).toBe(false);
  }
});

test.each(["", "short", `${"A".repeat(42)}=`, "A".repeat(45), "A".repeat(1000), "é".repeat(44)])(
  "3. a file with %j",
  async (content) => {
    const env = newEnv();
    writeFileSync(fileIn(env), content, { mode: 0o600 });
    const opened = openSecretKey(env);
    await expect(opened).rejects.toThrow(UserError);
    await expect(opened).rejects.toThrow(/secret\.key is damaged: .*Restore it from a backup/);
    if (content !== "") await expect(opened).rejects.not.toThrow(content);
    expect(readFileSync(fileIn(env), "utf8")).toBe(content);
  },
);

test.skipIf(process.platform === "win32")("3. a file that others can read", async () => {
  const env = newEnv();
  await openSecretKey(env);
  chmodSync(fileIn(env), 0o640);
  expect(() => refuseOpenSecretKey(env)).toThrow(/can be read by other users .*\(mode 640\).*chmod 600/);
  expect(house.sealed.length).toBeGreaterThan(2);
  for (const { what } of house.sealed) expect(() => refuseOpenSecretKey(env)).toThrow(what);
  await expect(openSecretKey(env)).rejects.toThrow(UserError);
});
