/** 1. Each piece of a stored body is charged like an upload's, before the next piece is read; outside a request, to no one. */
import { afterEach, expect, test, vi } from "vitest";
import { UPLOADED } from "../fair/limits.ts";
import { workGate } from "../fair/work-gate.ts";
import { noteHolder, runForRequest } from "../log/request-context.ts";
import "./limits/charge-answers.ts";
import { readStored } from "./read-stored.ts";

afterEach(() => void vi.restoreAllMocks());

const PIECES = [1000, 2000, 3000];

async function read() {
  const paced = vi.spyOn(workGate, "pace");
  const charged = vi.spyOn(workGate, "charge");
  const source = { headers: new Headers(), body: pieces() };
  const seen: number[] = [];
  for await (const { byteLength } of readStored(source, { maxBytes: 10_000 })) {
    seen.push(byteLength);
    if (paced.mock.calls.length > 0) expect(paced).toHaveBeenCalledTimes(seen.length);
  }
  expect(seen).toEqual(PIECES);
  expect(charged).not.toHaveBeenCalled();
  return paced.mock.calls;
}

async function* pieces() {
  for (const length of PIECES) yield new Uint8Array(length);
}

test("1. of a request", async () => {
  const calls = await runForRequest("test", () => {
    noteHolder("acme");
    return read();
  });
  expect(calls).toEqual(PIECES.map((length) => ["acme", UPLOADED * length]));
});

test("1. of no one", async () => {
  expect(await read()).toEqual([]);
});
