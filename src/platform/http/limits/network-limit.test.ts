/**
 * 1. Addresses of one network share the network's limit, however many they are; other networks are not affected.
 * 2. If any bucket refuses, nothing is taken from the others.
 * 3. A network that has used up its share leaves no buckets behind, and newcomers are still admitted.
 * 4. A client that waits as told is served.
 * 5. Past use is taken from an address and from its networks, by the given shares.
 */
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { createNetworkLimit } from "./network-limit.ts";

const still = { perMinute: 10, clock: () => 0 };
const served = (waits: number[]) => waits.filter((wait) => wait === 0).length;
const hex = (number: number) => number.toString(16);

test("1. shares", () => {
  const limit = createNetworkLimit(still);
  const askOften = (addressOf: (at: number) => string) =>
    served(Array.from({ length: 1000 }, (_, at) => limit.take(addressOf(at))));
  expect(askOften((at) => `2001:db8:1:1::${hex(at)}`)).toBe(10);
  expect(askOften((at) => `2001:db8:1:1${hex(at % 256).padStart(2, "0")}::1`)).toBe(40);
  expect(askOften((at) => `2001:db8:1:${hex(at + 0x2000)}::1`)).toBe(160 - 50);
  expect(askOften((at) => `2001:db8:2:${hex(at)}::1`)).toBe(160);
  expect(askOften((at) => `198.51.100.${at % 256}`)).toBe(160);
  expect(askOften(() => "203.0.113.9")).toBe(10);
  expect(limit.take("203.0.113.8")).toBe(0);
  expect(limit.take(null)).toBe(0);
});

test("2. all or nothing", () => {
  const limit = createNetworkLimit(still);
  while (limit.take("203.0.113.9") === 0);
  for (let at = 0; at < 1000; at++) limit.take("203.0.113.9");
  expect(limit.take("203.0.113.8", 10)).toBe(0);
  expect(limit.wait("203.0.113.7", 10)).toBe(0);
  expect(limit.wait("203.0.113.8")).toBeGreaterThan(0);
});

test("3. memory", () => {
  const limit = createNetworkLimit({ ...still, maxKeys: 2000 });
  for (let at = 0; at < 20_000; at++) limit.take(`2001:db8:1:${hex(at)}::1`);
  expect(limit.size).toBeLessThan(400);
  for (let at = 0; at < 20_000; at++) expect(limit.take(`2001:db9:${hex(at)}::1`)).toBe(0);
  expect(limit.size).toBeLessThanOrEqual(3 * 2000 + 400);
});

test("4. honest about when", () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.nat(3), fc.nat(3), fc.nat(40_000)), { maxLength: 200 }), (steps) => {
      let now = 0;
      const limit = createNetworkLimit({ perMinute: 6, burst: 3, clock: () => now });
      for (const [site, subnet, step] of steps) {
        const address = `2001:db8:${site}:${subnet}00::1`;
        const asked = limit.wait(address);
        expect(limit.take(address)).toBe(asked);
        now += step;
      }
      const address = "2001:db8:0:1::1";
      while (limit.take(address) === 0);
      now += limit.wait(address) * 1000;
      expect(limit.take(address)).toBe(0);
    }),
  );
});

test("5. used already", () => {
  const limit = createNetworkLimit({ ...still, shares: { ipv6: [1, 2, 3], ipv4: [1, 2] } });
  limit.spend("2001:db8:1:1::1", 15);
  expect(limit.wait("2001:db8:1:1::2")).toBeGreaterThan(0);
  expect(limit.wait("2001:db8:1:2::1", 6)).toBeGreaterThan(0);
  expect([limit.take("2001:db8:1:2::1", 5), limit.take("2001:db8:1:100::1", 10)]).toEqual([0, 0]);
  expect([limit.wait("2001:db8:1:200::1"), limit.take("2001:db8:2::1", 10)]).toEqual([2, 0]);
  limit.spend("203.0.113.9", 20);
  expect(limit.wait("203.0.113.8")).toBe(3);
});
