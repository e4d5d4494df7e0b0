/** 1. A request names one host: a name or an address, with or without a port. Only HTTP/1.0 may name none. */
import type { IncomingMessage } from "node:http";
import { expect, test } from "vitest";
import { hasOneHost } from "./one-host.ts";

const ask = (rawHeaders: string[], { url = "/", httpVersion = "1.1" } = {}) =>
  hasOneHost({ rawHeaders, url, httpVersion } as IncomingMessage);

test.each([
  "localhost",
  "millrace.example.com:443",
  "MILLRACE.example.com.",
  "build_server:3000",
  "127.0.0.1:",
  "[::1]:3000",
  "[::ffff:10.0.0.1]",
])("1. %s", (host) => {
  expect(ask(["accept", "*/*", "Host", host])).toBe(true);
  expect(ask(["host", host], { url: `http://${host.toUpperCase()}/docs` })).toBe(true);
  expect(ask(["Host", host, "HOST", host])).toBe(false);
  expect(ask(["Host", host], { url: "https://evil.example/" })).toBe(false);
});

test.each([
  "",
  "a b",
  "a,b",
  "a@b",
  "a/b",
  "a?b",
  "a#b",
  "a\\b",
  "<b>",
  "a:b",
  "a:123456",
  "::1",
  "[::1",
  "ä.example",
])("1. not %j", (host) => {
  expect(ask(["Host", host])).toBe(false);
  expect(ask(["Host", host], { httpVersion: "1.0" })).toBe(false);
});

test("1. none", () => {
  expect(ask([])).toBe(false);
  expect(ask([], { httpVersion: "1.0" })).toBe(true);
});
