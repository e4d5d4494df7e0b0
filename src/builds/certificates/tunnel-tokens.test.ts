/**
 * Tokens that open tunnels:
 * 1. A token names the build and the platform that it was made for, on every server with the same key, until a day after the end
 *    that it names.
 * 2. A token that was changed anywhere, was made with another key, or is malformed is invalid.
 */
import { randomBytes } from "node:crypto";
import { expect, test } from "vitest";
import { CLOCKS_DIFFER_MS } from "./certificates.ts";
import { createTunnelTokens } from "./tunnel-tokens.ts";

const [BUILD, PLATFORM] = ["bld_0123456789", "linux/arm/v7"];

test("1. its build, and no longer", () => {
  const [key, time] = [randomBytes(32), { now: 1000 }];
  const [one, other] = [0, 1].map(() => createTunnelTokens(key, () => time.now));
  const token = one!.sign(BUILD, PLATFORM, 2000);
  expect(other!.read(token)).toEqual({ buildId: BUILD, platform: PLATFORM });
  time.now = 2000 + CLOCKS_DIFFER_MS - 1;
  expect(other!.read(token)).not.toBeNull();
  time.now += 1;
  expect(other!.read(token)).toBeNull();
});

test("2. no one's", () => {
  const tokens = createTunnelTokens(randomBytes(32), () => 1000);
  const token = tokens.sign(BUILD, PLATFORM, 2000);
  for (let at = 0; at < token.length - 1; at += 1)
    for (const letter of ["A", "B", "."])
      if (token[at] !== letter)
        expect(tokens.read(`${token.slice(0, at)}${letter}${token.slice(at + 1)}`)).toBeNull();
  const foreign = createTunnelTokens(randomBytes(32), () => 1000).sign(BUILD, PLATFORM, 2000);
  for (const wrong of ["", ".", foreign, token.slice(0, -1), `${token}A`, ` ${token}`, "x".repeat(1_000_000)])
    expect(tokens.read(wrong)).toBeNull();
  expect(tokens.read(tokens.sign("bld_no build", PLATFORM, 2000))).toBeNull();
});
