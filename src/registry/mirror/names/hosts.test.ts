/**
 * 1. An operator's list names hosts and their addresses; errors in it are reported.
 * 2. Docker's own images have two names.
 * 3. Names and passwords are read from a file of Docker's; an error never quotes it.
 */
import { expect, test } from "vitest";
import { parseDockerConfig } from "../credentials/credentials.ts";
import { DEFAULT_MIRROR_HOSTS, fullPath, parseMirrorHosts } from "./hosts.ts";

test("1. what an operator writes", () => {
  expect(parseMirrorHosts("docker.io, up.test:5000,ghcr.io=http://10.0.0.1:5000/")).toEqual([
    { name: "docker.io", origin: "https://registry-1.docker.io", isListed: true },
    { name: "up.test:5000", origin: "https://up.test:5000", isListed: true },
    { name: "ghcr.io", origin: "http://10.0.0.1:5000", isListed: true },
  ]);
  expect(parseMirrorHosts("none")).toEqual([]);
  expect(
    DEFAULT_MIRROR_HOSTS.every(({ isListed, origin }) => !isListed && origin.startsWith("https://")),
  ).toBe(true);
});

test.each([
  "",
  "docker.io,",
  "Docker.io",
  "a/b",
  "a=b",
  "a=ftp://b",
  "a=https://u:p@b",
  "a=https://b/c",
  "a,a",
])("1. %j is wrong", (text) => {
  expect(() => parseMirrorHosts(text)).toThrow(/not a host name|address|twice/);
});

test("2. Docker's own images", () => {
  expect(fullPath("docker.io", "alpine")).toBe("library/alpine");
  expect(fullPath("docker.io", "grafana/grafana")).toBe("grafana/grafana");
  expect(fullPath("quay.io", "alpine")).toBe("alpine");
});

test("3. names and passwords", () => {
  const auth = Buffer.from("ann:pass:word").toString("base64");
  const auths = {
    "https://index.docker.io/v1/": { auth },
    "ghcr.io": { username: "bob", password: "other" },
  };
  expect([...parseDockerConfig(JSON.stringify({ auths, credsStore: "x" }))]).toEqual([
    ["docker.io", { username: "ann", password: "pass:word" }],
    ["ghcr.io", { username: "bob", password: "other" }],
  ]);
});

test.each([
  "secret",
  '{"auths":"secret"}',
  '{"auths":{"ghcr.io":{}}}',
  '{"auths":{"ghcr.io":{"auth":"secret"}}}',
  '{"auths":{"ghcr.io":{"identitytoken":"secret"}}}',
])("3. %s says what is wrong", (text) => {
  expect(() => parseDockerConfig(text)).toThrow(/auths/);
  expect(() => parseDockerConfig(text)).not.toThrow(/secret/);
});
