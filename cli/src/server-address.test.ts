/**
 * 1. A login over plain http prints a warning with the setting to ask for; plain http to this machine itself is fine.
 * 2. A server on another machine that calls itself localhost is opened at the address that worked, with a hint for its operator;
 *    every other address is opened unchanged.
 */
import { expect, test } from "vitest";
import { addressToOpen, plainHttpWarning } from "./server-address.ts";

test.each([
  "https://build.acme.example",
  "http://localhost:3000",
  "http://127.0.0.1:3000",
  "http://[::1]:3000",
  "http://a.localhost",
])("1. %s is fine", (origin) => expect(plainHttpWarning(origin)).toBeNull());

test.each(["http://build.acme.example", "http://10.0.0.5:3000", "http://127.acme.example"])(
  "1. %s",
  (origin) => {
    expect(plainHttpWarning(origin)).toMatch(
      /is not encrypted: .* not offer passkeys .* https address, or for a token: millrace login --token$/,
    );
  },
);

test("2. a server that calls itself localhost", () => {
  const { address, warning } = addressToOpen(
    "http://localhost:3000/device?code=WDJB-MJHT",
    "http://10.0.0.5:3000",
  );
  expect(address).toBe("http://10.0.0.5:3000/device?code=WDJB-MJHT");
  expect(warning).toMatch(/calls itself http:\/\/localhost:3000, .* SITE_ORIGIN=http:\/\/10\.0\.0\.5:3000/);
});

test.each([
  ["http://localhost:3000/device", "http://localhost:3000"],
  ["http://localhost:3000/device", "http://127.0.0.1:3000"],
  ["https://build.acme.example/device", "http://10.0.0.5:3000"],
])("2. %s at %s", (named, origin) =>
  expect(addressToOpen(named, origin)).toEqual({ address: named, warning: null }),
);
