/**
 * 1. A token that the issuer signed is accepted, again and again, until a minute after its end.
 * 2. Expired, not yet valid, from the future, unsigned, signed with a wrong or an unknown key, with a shared secret,
 *    by another issuer, without `exp`, without `kid` where there are several keys, too large, no token: each refused.
 * 3. A rotated key is found immediately, but the issuer is asked for an unknown key at most every 30 s.
 * 4. An issuer that is unreachable or answers badly gives `unavailable`; keys that were read before stay valid for a day. Failures
 *    that show whether a host exists, or what it speaks, all look the same, after the time-out of a host that hangs.
 * 5. Simultaneous calls ask the issuer once.
 */
import { createSecretKey } from "node:crypto";
import fc from "fast-check";
import { SignJWT } from "jose";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createIssuerKeys, type IssuerKeys, type IssuerKeysOptions } from "./issuer-keys.ts";
import { answerJson, startTestIssuer, type TestIssuer } from "../testing/issuer.ts";
import { readIssuer, verifyToken } from "./verify-token.ts";

const START = 1_800_000_000_000;
let issuer: TestIssuer;
let keys: IssuerKeys;
let now = START;
let logged: string[] = [];
const log = {
  warn: (_message: string, details?: { error?: unknown }) => void logged.push(String(details?.error)),
};
const create = (options: Partial<IssuerKeysOptions> = {}) =>
  createIssuerKeys({ privateHosts: [issuer.host], clock: () => now, log, ...options });
beforeEach(async () => {
  now = START;
  issuer = await startTestIssuer();
  logged = [];
  keys = create();
});
afterEach(() => issuer.close());

const claims = () => ({ sub: "repo:acme/web", aud: "http://localhost:3000", exp: START / 1000 + 300 });
const verify = (token: string) => {
  readIssuer(token);
  return verifyToken(token, { issuer: issuer.origin, keys, now });
};
const asked = () => issuer.requests.get("/jwks") ?? 0;

test("1. good, twice", async () => {
  const token = await issuer.sign(claims());
  expect(await verify(token)).toMatchObject({ sub: "repo:acme/web" });
  now += 359_000;
  expect(await verify(token)).toMatchObject({ sub: "repo:acme/web" });
  expect(asked()).toBe(1);
});

describe("2. refused", () => {
  const seconds = START / 1000;
  test.each([
    ["expired", { exp: seconds - 61 }, "OIDC token is expired"],
    ["not yet", { nbf: seconds + 61 }, "not valid yet"],
    ["from the future", { iat: seconds + 61 }, "from the future"],
    ["without exp", { exp: undefined }, "has no `exp`"],
    ["exp a text", { exp: "never" as unknown as number }, "invalid `exp`"],
    ["without aud", { aud: undefined }, "has no `aud`"],
  ])("%s", async (_name, change, message) => {
    const token = await issuer.sign({ ...claims(), ...change });
    await expect(verify(token)).rejects.toMatchObject({
      code: "unauthenticated",
      message: expect.stringContaining(message),
    });
  });

  test("unsigned", async () => {
    const part = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");
    for (const alg of ["none", "None", "NONE"]) {
      const token = `${part({ alg })}.${part({ iss: issuer.origin, ...claims() })}.`;
      await expect(verify(token)).rejects.toMatchObject({ code: "unauthenticated" });
    }
    expect(asked()).toBe(0);
  });

  test("HS256 with the public key as the secret", async () => {
    const [key] = issuer.keys;
    for (const secret of [JSON.stringify(key), String(key?.n)]) {
      const token = await new SignJWT({ iss: issuer.origin, ...claims() })
        .setProtectedHeader({ alg: "HS256", kid: key?.kid })
        .sign(createSecretKey(Buffer.from(secret)));
      await expect(verify(token)).rejects.toThrow("`alg`");
    }
  });

  test("by another issuer, with and without the right key's name", async () => {
    const other = await startTestIssuer();
    const kid = issuer.keys[0]?.kid ?? null;
    const forged = { ...claims(), iss: issuer.origin };
    await expect(verify(await other.sign(forged, { kid }))).rejects.toThrow("wrong signature");
    await expect(verify(await other.sign(forged))).rejects.toThrow("does not publish");
    const named = await issuer.sign({ ...claims(), iss: other.origin });
    await expect(verify(named)).rejects.toThrow("invalid `iss`");
    await other.close();
  });

  test("changed by one character", async () => {
    const token = await issuer.sign(claims());
    const at = token.lastIndexOf(".") - 20;
    const changed = token.slice(0, at) + (token[at] === "A" ? "B" : "A") + token.slice(at + 1);
    await expect(verifyToken(changed, { issuer: issuer.origin, keys, now })).rejects.toMatchObject({
      code: "unauthenticated",
    });
  });

  test("without `kid`: only when one key fits", async () => {
    expect(await verify(await issuer.sign(claims(), { kid: null }))).toBeTruthy();
    await issuer.rotate({ keep: true });
    now += 11 * 60_000;
    const token = await issuer.sign({ ...claims(), exp: now / 1000 + 300 }, { kid: null });
    await expect(verify(token)).rejects.toThrow("`kid`");
  });

  test("too large; no token at all", async () => {
    const token = await issuer.sign({ ...claims(), more: "x".repeat(17_000) });
    expect(() => readIssuer(token)).toThrow("longer than 16384");
    fc.assert(
      fc.property(fc.string({ unit: "grapheme", maxLength: 200 }), (text) => {
        expect(() => readIssuer(text)).toThrow(/^OIDC token /);
      }),
    );
  });
});

test("3. rotation", async () => {
  await verify(await issuer.sign(claims()));
  await issuer.rotate();
  const token = await issuer.sign(claims());
  now += 29_000;
  await expect(verify(token)).rejects.toThrow("does not publish");
  expect(asked()).toBe(1);
  now += 1_000;
  await verify(token);
  expect(asked()).toBe(2);
  const stranger = await issuer.sign(claims(), { kid: "unknown" });
  for (let count = 0; count < 20; count += 1)
    await expect(verify(stranger)).rejects.toThrow("does not publish");
  expect(asked()).toBe(2);
});

describe("4. the issuer", () => {
  const configuration = "/.well-known/openid-configuration";
  test.each<[string, string, unknown, string]>([
    ["fails", configuration, null, "cannot get JSON"],
    [
      "names another issuer",
      configuration,
      { issuer: "https://x", jwks_uri: "https://x" },
      "a different issuer",
    ],
    ["names no keys", configuration, {}, "both `issuer`"],
    ["has no keys", "/jwks", { keys: "none" }, "not a JSON Web Key Set"],
    [
      "has 101 keys",
      "/jwks",
      { keys: Array.from({ length: 101 }, () => ({ kty: "RSA" })) },
      "not a JSON Web Key Set",
    ],
    ["sends 10 MB", "/jwks", { keys: [], more: "x".repeat(10_000_000) }, "cannot get JSON"],
  ])("%s", async (_name, path, body, reason) => {
    keys = create({ timeoutMs: 300 });
    issuer.answer(path, (_, response) => answerJson(response, body ?? {}, body === null ? 500 : 200));
    const token = await issuer.sign(claims());
    await expect(verify(token)).rejects.toMatchObject({
      code: "unavailable",
      message: expect.stringContaining(reason),
    });
    // Within five seconds it is not asked again.
    const before = issuer.requests.get(path);
    await expect(verify(token)).rejects.toMatchObject({ code: "unavailable" });
    expect(issuer.requests.get(path)).toBe(before);
    issuer.answer(path, null);
    now += 5_000;
    expect(await verify(token)).toBeTruthy();
  });

  test("hangs", async () => {
    issuer.answer("/jwks", () => {});
    keys = create({ timeoutMs: 100 });
    await expect(verify(await issuer.sign(claims()))).rejects.toThrow("cannot get JSON");
    expect(logged).toEqual([expect.stringContaining("does not respond in time")]);
  });

  test("is not there, in any way", async () => {
    const unknown = Object.assign(new Error("unknown"), { code: "ENOTFOUND" });
    const hosts = {
      "unknown.example": [unknown, ""],
      "private.example": [null, "10.0.0.1"],
      "machine.example": [null, "127.0.0.1"],
    } as const;
    const resolve: IssuerKeysOptions["resolve"] = (host, _options, done) => {
      const [error, address] = hosts[host as keyof typeof hosts];
      done(error, error ? [] : [{ address, family: 4 }]);
    };
    issuer.answer(configuration, (_, response) => response.end("<html>"));
    // Nothing listens at port 9; the issuer speaks no TLS.
    const privateHosts = [issuer.host, "machine.example:9", `machine.example:${new URL(issuer.origin).port}`];
    keys = create({ resolve, privateHosts, timeoutMs: 300 });
    const names = [...Object.keys(hosts), "127.0.0.1", ...privateHosts.slice(1)];
    const told: string[] = [];
    for (const address of [...names.map((name) => `https://${name}`), issuer.origin]) {
      const started = performance.now();
      const error: unknown = await keys
        .find(address, {}, { payload: "", signature: "" })
        .catch((each: unknown) => each);
      told.push(`${String(error)} ${performance.now() - started >= 290 ? "then" : "before"}`);
    }
    const alike = "IssuerError: this server cannot get JSON from it; the server's log says why then";
    expect(told).toEqual(told.map(() => alike));
    expect(new Set(logged.map((line) => line.replace(/\(.*/, "").trim())).size).toBe(4);
  });

  test("goes away after its keys were read", async () => {
    const token = await issuer.sign({ ...claims(), exp: START / 1000 + 200_000 });
    await verify(token);
    keys = create({ timeoutMs: 300 });
    await verify(token);
    issuer.answer("/jwks", (_, response) => answerJson(response, {}, 500));
    now += 23 * 3_600_000;
    expect(await verify(token)).toBeTruthy();
    now += 2 * 3_600_000;
    await expect(verify(token)).rejects.toMatchObject({ code: "unavailable" });
  });
});

test("5. at the same time", async () => {
  const token = await issuer.sign(claims());
  await Promise.all(Array.from({ length: 20 }, () => verify(token)));
  expect(asked()).toBe(1);
});
