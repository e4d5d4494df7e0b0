/**
 * 1. Addresses, networks and the two words, in any case and with any spaces; an empty list trusts no one.
 * 2. Any other entry is named in the error.
 * 3. Addresses that cannot be reached from the internet are distinguished from those that can.
 */
import { expect, test } from "vitest";
import { createMatcher } from "./client-address.ts";
import { isInternalAddress, parseTrustedProxies } from "./trusted-proxies.ts";

test("1. lists", () => {
  expect(parseTrustedProxies(" , ")).toEqual([]);
  expect(parseTrustedProxies("203.0.113.7, 2001:db8::/32")).toEqual(["203.0.113.7", "2001:db8::/32"]);
  const matches = createMatcher(parseTrustedProxies("Loopback,203.0.113.7"));
  expect(["127.9.9.9", "::1", "203.0.113.7", "10.0.0.1", "203.0.113.8"].map(matches)).toEqual([
    true,
    true,
    true,
    false,
    false,
  ]);
  const isPrivate = createMatcher(parseTrustedProxies("private"));
  expect(
    ["10.1.2.3", "172.31.0.1", "192.168.1.1", "fd00::1", "172.32.0.1", "127.0.0.1"].map(isPrivate),
  ).toEqual([true, true, true, true, false, false]);
});

test("2. mistakes", () => {
  for (const wrong of ["localhost", "10.0.0.0/33", "constructor", "__proto__", "10.0.0.1;10.0.0.2"])
    expect(() => parseTrustedProxies(`loopback, ${wrong}`)).toThrow(`\`${wrong}\` is neither`);
});

test("3. internal addresses", () => {
  for (const address of ["127.0.0.1", "::1", "10.0.0.1", "169.254.1.1", "fe80::1"])
    expect(isInternalAddress(address), address).toBe(true);
  for (const address of ["203.0.113.1", "2001:db8::1", "", "10.0.0"])
    expect(isInternalAddress(address), address).toBe(false);
});
