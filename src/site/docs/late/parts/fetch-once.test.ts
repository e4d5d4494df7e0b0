/**
 * 1. Any number of calls, at any time, send one request.
 * 2. If it fails, is refused or is not JSON, all waiting callers get the fallback; later calls send a new request.
 */
import { afterEach, expect, it, vi } from "vitest";
import { fetchOnce } from "./fetch-once.ts";

afterEach(() => void vi.unstubAllGlobals());

/** @returns the requested addresses */
function answerWith(...answers: (() => Response | Promise<Response>)[]): string[] {
  const asked: string[] = [];
  vi.stubGlobal("fetch", async (url: string) => {
    asked.push(url);
    return answers.shift()!();
  });
  return asked;
}

it("asks once (1)", async () => {
  const asked = answerWith(() => Response.json(["denied"]));
  const load = fetchOnce("/docs/errors.json", []);
  expect(asked).toEqual([]);
  expect(await Promise.all([load(), load()])).toEqual([["denied"], ["denied"]]);
  expect(await load()).toEqual(["denied"]);
  expect(asked).toEqual(["/docs/errors.json"]);
});

it.each([
  ["fails", () => Promise.reject(new TypeError("network"))],
  ["is refused", () => Response.json({ message: "busy" }, { status: 503 })],
  ["is a page", () => new Response("<!doctype html>")],
])("asks again after one that %s (2)", async (_name, failing) => {
  const asked = answerWith(failing, () => Response.json(["denied"]));
  const load = fetchOnce("/docs/errors.json", ["none"]);
  expect(await Promise.all([load(), load()])).toEqual([["none"], ["none"]]);
  expect(asked).toHaveLength(1);
  expect(await load()).toEqual(["denied"]);
});
