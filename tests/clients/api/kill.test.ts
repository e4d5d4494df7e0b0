/**
 * 1. A server is killed again and again while creates with an `Idempotency-Key` are sent. An acknowledged create gets
 *    the same answer, secret included, from the next server; nothing is there twice, and no answer without its object.
 */
import { fork } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { OWNER_TOKEN } from "./api-server.ts";

const KILLS = Number(process.env["KILLS"] ?? 15);
const TEST_MS = 60_000 + KILLS * 10_000;
const SENDERS = 4;

const folder = mkdtempSync(join(tmpdir(), "millrace-kill-"));
afterAll(() => rmSync(folder, { recursive: true }));

async function startServer() {
  const child = fork(join(import.meta.dirname, "kill-server.ts"), [join(folder, "millrace.db")], {
    execArgv: ["--disable-warning=ExperimentalWarning"],
  });
  const ended = once(child, "exit").then(([code]) =>
    Promise.reject(new Error(`It ended with ${String(code)}.`)),
  );
  // Its first message.
  const [port] = (await Promise.race([once(child, "message"), ended])) as [number];
  ended.catch(() => {});
  const kill = async () => {
    const gone = once(child, "exit");
    child.kill("SIGKILL");
    await gone;
  };
  return { port, kill };
}

/** @returns the answer's text; null when the server was gone before it was whole */
async function call(port: number, method: string, body: object, key?: string): Promise<string | null> {
  try {
    const response = await fetch(`http://127.0.0.1:${port}/api/millrace.v1.${method}`, {
      method: "POST",
      headers: {
        authorization: `Bearer ${OWNER_TOKEN}`,
        "content-type": "application/json",
        ...(key !== undefined && { "idempotency-key": key }),
      },
      body: JSON.stringify(body),
    });
    const text = await response.text();
    expect([response.status, text]).toEqual([200, text]);
    return text;
  } catch (error) {
    if (error instanceof TypeError) return null;
    throw error;
  }
}

test("1. kills", { timeout: TEST_MS }, async () => {
  const acknowledged = new Map<string, string>();
  const sent: string[] = [];
  const create = (port: number, key: string) =>
    call(port, "TokenService/Create", { name: key, type: "org" }, key);

  for (let round = 0; round < KILLS; round += 1) {
    const { port, kill } = await startServer();
    const wanted = 1 + Math.floor(Math.random() * 20);
    let count = 0;
    const enough = Promise.withResolvers<void>();
    const sender = async (name: number) => {
      for (let index = 0; ; index += 1) {
        const key = `${round}-${name}-${index}`;
        sent.push(key);
        const answer = await create(port, key);
        if (answer === null) return;
        acknowledged.set(key, answer);
        if ((count += 1) === wanted) enough.resolve();
      }
    };
    const senders = Array.from({ length: SENDERS }, (_, name) => sender(name));
    await enough.promise;
    await kill();
    await Promise.all(senders);
  }

  const { port, kill } = await startServer();
  for (const key of sent) {
    const answer = await create(port, key);
    expect([key, answer]).toEqual([key, acknowledged.get(key) ?? answer]);
  }
  const names: string[] = [];
  for (let pageToken = ""; ;) {
    const page = { page_size: 100, page_token: pageToken };
    const { tokens, next_page_token } = JSON.parse((await call(port, "TokenService/List", page)) ?? "{}");
    names.push(...tokens.map(({ name }: { name: string }) => name));
    pageToken = next_page_token;
    if (pageToken === "") break;
  }
  const made = names.filter((name) => /^\d+-\d+-\d+$/.test(name));
  expect(made.toSorted()).toEqual(sent.toSorted());
  await kill();
});
