/**
 * 1. No address of a special network is public: an independent implementation of the same registries agrees, for random addresses
 *    of both versions, in any notation.
 * 2. Forms that wrap a private IPv4 address are refused; well-known public addresses are not.
 */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { isPublicAddress } from "./public-address.ts";

/** Takes the address's bytes as numbers: written without the library that the code uses. */
function isPublicByHand(bytes: readonly number[]): boolean {
  const [a = 0, b = 0, c = 0, d = 0] = bytes;
  const special =
    a === 0 ||
    a === 10 ||
    a === 127 ||
    a >= 224 ||
    (a === 100 && b >= 64 && b < 128) ||
    (a === 169 && b === 254) ||
    (a === 172 && b >= 16 && b < 32) ||
    (a === 192 && b === 0 && (c === 0 || c === 2)) ||
    (a === 192 && b === 88 && c === 99) ||
    (a === 192 && b === 168) ||
    (a === 198 && (b === 18 || b === 19)) ||
    (a === 198 && b === 51 && c === 100) ||
    (a === 203 && b === 0 && c === 113) ||
    (a === 168 && b === 63 && c === 129 && d === 16);
  return !special;
}

function isPublicByHandIpv6(groups: readonly number[]): boolean {
  const [a = 0, b = 0] = groups;
  if (a < 0x2000 || a > 0x3fff) return false;
  if (a === 0x2001) return b >= 0x200 && b !== 0xdb8;
  if (a === 0x2002) return false;
  return !(a === 0x3fff && b < 0x1000);
}

/** More often near the edges of networks. */
const edgeByte = fc.oneof(
  fc.integer({ min: 0, max: 255 }),
  fc.constantFrom(0, 2, 10, 16, 18, 19, 51, 63, 64, 88, 99, 100, 113, 127, 128, 129, 168, 169, 172, 192, 198),
);
const ipv4 = fc.tuple(edgeByte, edgeByte, edgeByte, edgeByte);
const group = fc.oneof(
  fc.integer({ min: 0, max: 0xffff }),
  fc.constantFrom(
    0,
    0x64,
    0xff9b,
    0xffff,
    0x2000,
    0x2001,
    0x2002,
    0xdb8,
    0x1ff,
    0x200,
    0x3fff,
    0xfe80,
    0xfc00,
  ),
);

describe("addresses", () => {
  test("1. IPv4", () => {
    fc.assert(
      fc.property(ipv4, (bytes) => isPublicAddress(bytes.join(".")) === isPublicByHand(bytes)),
      {
        numRuns: 3000,
      },
    );
  });

  test("1. IPv6", () => {
    const groups = fc.array(group, { minLength: 8, maxLength: 8 });
    fc.assert(
      fc.property(groups, fc.boolean(), (all, isUpper) => {
        const text = all.map((one) => one.toString(16)).join(":");
        return isPublicAddress(isUpper ? text.toUpperCase() : text) === isPublicByHandIpv6(all);
      }),
      { numRuns: 3000 },
    );
  });

  test("2. IPv4 within IPv6 is never public", () => {
    fc.assert(
      fc.property(ipv4, fc.constantFrom("::ffff:", "::", "64:ff9b::", "64:ff9b:1::"), (bytes, prefix) => {
        const [a = 0, b = 0, c = 0, d = 0] = bytes;
        const hex = (high: number, low: number) => (high * 256 + low).toString(16);
        return (
          !isPublicAddress(prefix + bytes.join(".")) &&
          !isPublicAddress(`${prefix}${hex(a, b)}:${hex(c, d)}`) &&
          !isPublicAddress(`2002:${hex(a, b)}:${hex(c, d)}::1`)
        );
      }),
    );
  });

  test.each([
    ["140.82.112.3", true],
    ["8.8.8.8", true],
    ["2606:50c0:8000::153", true],
    ["2a00:1450:4001:80b::200e", true],
    ["169.254.169.254", false],
    ["100.100.100.200", false],
    ["168.63.129.16", false],
    ["fd00:ec2::254", false],
    ["fe80::1%eth0", false],
    ["2606:50c0:8000::153%1", false],
    ["::1", false],
    ["::", false],
    ["2001::1", false],
    ["", false],
    ["localhost", false],
    ["010.0.0.1", false],
  ])("2. %s: %s", (address, isPublic) => expect(isPublicAddress(address)).toBe(isPublic));
});
