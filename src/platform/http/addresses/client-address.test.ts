/**
 * 1. Without trusted proxies the connection's address counts, whatever the header says.
 * 2. Behind trusted proxies the last address that none of them added counts; earlier ones are not believed.
 * 3. A header is read up to the first thing that is not an address; a long one costs no more.
 * 4. Networks: IPv4, IPv6, mapped addresses; an invalid entry is named.
 * 5. Limits count a 64-bit IPv6 network as one client, and each IPv4 address as one; the networks around them have their own
 *    keys.
 */
import type { Context } from "hono";
import { expect, test } from "vitest";
import { addressKey, createAddressOf, createMatcher, networkKeys } from "./client-address.ts";

function contextOf(remoteAddress: string | undefined, forwarded?: string): Context {
  const header = (name: string) => (name === "x-forwarded-for" ? forwarded : undefined);
  // Only the parts of a context that are read.
  return { env: { incoming: { socket: { remoteAddress } } }, req: { header } } as unknown as Context;
}

test("1. no one is trusted", () => {
  const addressOf = createAddressOf();
  for (const address of ["127.0.0.1", "10.0.0.1", "203.0.113.9"])
    expect(addressOf(contextOf(address, "198.51.100.7"))).toBe(address);
  expect(addressOf(contextOf(undefined))).toBeNull();
});

test.each([
  ["127.0.0.1", "198.51.100.7", "198.51.100.7"],
  ["::ffff:127.0.0.1", "1.2.3.4, 198.51.100.7", "198.51.100.7"],
  ["127.0.0.1", "198.51.100.7, 10.1.2.3", "198.51.100.7"],
  ["127.0.0.1", "10.1.2.3", "10.1.2.3"],
  ["127.0.0.1", undefined, "127.0.0.1"],
  ["127.0.0.1", "2001:db8::7", "2001:db8::7"],
  ["203.0.113.9", "198.51.100.7", "203.0.113.9"],
])("2. connection %s, header %s", (connection, header, expected) => {
  expect(createAddressOf(["127.0.0.1", "10.0.0.0/8"])(contextOf(connection, header))).toBe(expected);
});

test.each([
  ["198.51.100.7, unknown", "127.0.0.1"],
  ["198.51.100.7, unknown, 10.0.0.1", "10.0.0.1"],
  ["", "127.0.0.1"],
  [",,,", "127.0.0.1"],
  ["198.51.100.7," + "10.0.0.1,".repeat(100_000) + "10.0.0.1", "10.0.0.1"],
])("3. header %#", (header, expected) => {
  expect(createAddressOf(["127.0.0.1", "10.0.0.0/8"])(contextOf("127.0.0.1", header))).toBe(expected);
});

test("4. networks", () => {
  const matches = createMatcher(["10.0.0.0/8", "fd00::/8", "192.0.2.1"]);
  expect(
    ["10.255.0.1", "11.0.0.1", "fd12::1", "fe80::1", "192.0.2.1", "192.0.2.2", "x"].map(matches),
  ).toEqual([true, false, true, false, true, false, false]);
  for (const wrong of ["localhost", "10.0.0.0/33", "10.0.0.0/", "10.0.0.0/8/8", "::/129", ""])
    expect(() => createMatcher([wrong])).toThrow(`\`${wrong}\` is neither an address nor a network`);
});

test("5. keys", () => {
  expect(addressKey("203.0.113.9")).toBe("203.0.113.9");
  expect(addressKey("2001:db8:0:1::1")).toBe(addressKey("2001:0DB8::1:ffff:1:2:3"));
  expect(addressKey("2001:db8:0:2::1")).not.toBe(addressKey("2001:db8:0:1::1"));
  expect(addressKey("::1")).toBe("0:0:0:0");
  expect(addressKey(null)).toBe("unknown");
});

test("5. networks", () => {
  expect(networkKeys("203.0.113.9")).toEqual(["203.0.113.9", "203.0.113.0/24"]);
  expect(networkKeys("2001:db8:7:a1b2::1")).toEqual([
    "2001:db8:7:a1b2",
    "2001:db8:7:a100/56",
    "2001:db8:7::/48",
  ]);
  expect(networkKeys("::1")).toEqual(["0:0:0:0", "0:0:0:0000/56", "0:0:0::/48"]);
  expect(networkKeys(null)).toEqual(["unknown"]);
});
