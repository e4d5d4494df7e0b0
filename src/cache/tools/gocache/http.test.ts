/** One and many, small outputs with the answer, others on their own; damaged and malformed ones. */
import { hash, randomBytes } from "node:crypto";
import { readdirSync, truncateSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { openTestServer } from "../../testing/server.ts";

const action = (name: string) => hash("sha256", name);

test("Go", async () => {
  const server = await openTestServer();
  onTestFinished(server.close);
  const { ask, folder, tokens, traffic } = server;
  const put = (name: string, body: Buffer | string, more: Record<string, string> = {}) =>
    ask("PUT", `/cache/gocache/${action(name)}`, {
      body,
      headers: { "x-output-id": action(`output ${name}`), "x-time": "1764000000000000000", ...more },
    });
  expect((await put("hello", "hello")).status).toBe(201);
  expect((await put("empty", "")).status).toBe(201);
  const large = randomBytes(64_001);
  await put("large", large);
  const found = await ask("GET", `/cache/gocache/${action("large")}`);
  expect(found.body.equals(large)).toBe(true);
  expect(found.headers).toMatchObject({
    "x-output-id": action("output large"),
    "x-time": "1764000000000000000",
  });
  const forms = [
    ["x-output-id", "x"],
    ["x-output-id", ""],
    ["x-time", "now"],
    ["x-time", "-1"],
  ] as const;
  for (const [name, value] of forms) expect((await put("bad", "bad", { [name]: value })).status).toBe(400);
  expect((await ask("GET", "/cache/gocache/x")).status).toBe(400);

  const find = async (names: readonly string[], token = tokens.organization) => {
    const body = JSON.stringify({ actions: names.map(action) });
    const answer = await ask("POST", "/cache/gocache/find", { body, token });
    expect(answer.status).toBe(200);
    const end = answer.body.indexOf(10);
    const line = JSON.parse(answer.body.subarray(0, end).toString()) as {
      entries: Record<string, unknown>[];
    };
    return { entries: line.entries, rest: answer.body.subarray(end + 1) };
  };
  const entry = (name: string, size: number, inline: boolean) => ({
    action: action(name),
    output: action(`output ${name}`),
    time: "1764000000000000000",
    size,
    inline,
  });
  const many = await find(["nothing", "large", "hello", "empty", "hello"], tokens.job);
  expect(many.entries).toEqual([
    entry("large", 64_001, false),
    entry("hello", 5, true),
    entry("empty", 0, true),
  ]);
  expect(many.rest.toString()).toBe("hello");

  const names = Array.from({ length: 80 }, (_, at) => `number ${at}`);
  for (const name of names) await put(name, Buffer.alloc(60_000, name));
  const bounded = await find(names);
  expect(bounded.entries.filter(({ inline }) => inline)).toHaveLength(66);
  expect(bounded.entries).toHaveLength(80);
  expect(bounded.rest.length).toBe(66 * 60_000);
  expect(bounded.rest.subarray(-60_000).equals(Buffer.alloc(60_000, names[65]!))).toBe(true);

  for (const file of readdirSync(folder, { recursive: true, withFileTypes: true }))
    if (file.isFile()) truncateSync(join(file.parentPath, file.name), 5);
  const rest = await find(["hello", "number 1", "number 2"]);
  expect(rest.entries.map((each) => each["action"])).toEqual([action("hello")]);
  for (const body of [
    "",
    "null",
    "{}",
    '{"actions":[1]}',
    '{"actions":["x"]}',
    JSON.stringify({ actions: Array(1001).fill(action("a")) }),
  ])
    expect((await ask("POST", "/cache/gocache/find", { body })).status).toBe(400);
  expect([...traffic.bytes()][1]?.[1]).toBeGreaterThan(66 * 60_000);
});
