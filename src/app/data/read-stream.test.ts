/**
 * 1. Messages arrive complete and in order, however the bytes are cut, even inside a letter.
 * 2. The end's error is thrown with its code, after all messages before it.
 * 3. A stream that ends without its last frame was cut: a temporary error.
 * 4. A refusal before the stream is the API's own error.
 */
import { expect, test, vi } from "vitest";
import { CallError } from "./call.ts";
import { readStream } from "./read-stream.ts";

function frame(message: object, flags = 0): Uint8Array<ArrayBuffer> {
  const text = new TextEncoder().encode(JSON.stringify(message));
  const bytes = new Uint8Array(5 + text.length);
  bytes[0] = flags;
  new DataView(bytes.buffer).setUint32(1, text.length);
  bytes.set(text, 5);
  return bytes;
}

const join = (parts: Uint8Array[]) => new Uint8Array(parts.flatMap((part) => [...part]));

/** @param cut bytes in each piece */
function answer(bytes: Uint8Array<ArrayBuffer>, cut: number) {
  vi.stubGlobal("fetch", async () => {
    const pieces = Array.from({ length: Math.ceil(bytes.length / cut) }, (_, index) =>
      bytes.slice(index * cut, (index + 1) * cut),
    );
    return new Response(
      new ReadableStream({
        start(controller) {
          for (const piece of pieces) controller.enqueue(piece);
          controller.close();
        },
      }),
    );
  });
}

async function readAll() {
  const got: unknown[] = [];
  const { signal } = new AbortController();
  const read = (async () => {
    for await (const messages of readStream("BuildService/StreamLogs", {}, { organization: "acme", signal }))
      got.push(...messages);
  })();
  const error: unknown = await read.then(
    () => null,
    (cause: unknown) => cause,
  );
  return { got, error };
}

const LINES = [{ text: "größer" }, { text: "" }, { text: "مهندس" }];

test.each([1, 2, 7, 64, 10_000])("1. cut every %d bytes", async (cut) => {
  answer(join([...LINES.map((line) => frame(line)), frame({}, 2)]), cut);
  expect(await readAll()).toEqual({ got: LINES, error: null });
});

test("2. an error at the end", async () => {
  const error = { code: "not_found", message: "there is no build bld_1" };
  answer(join([frame({ text: "a" }), frame({ error }, 2)]), 30);
  const read = await readAll();
  expect(read.error).toBeInstanceOf(CallError);
  expect(read.error).toMatchObject({
    code: "not_found",
    status: 404,
    message: "There is no build bld_1.",
  });
});

test("3. cut", async () => {
  answer(join([frame({ text: "a" }), frame({ text: "b" }).slice(0, 8)]), 1000);
  const read = await readAll();
  expect(read.got).toEqual([{ text: "a" }]);
  expect(read.error).toMatchObject({ code: "unreachable", status: 0 });
});

test("4. refused", async () => {
  vi.stubGlobal("fetch", async () =>
    Response.json({ code: "permission_denied", message: "no" }, { status: 403 }),
  );
  expect((await readAll()).error).toMatchObject({ code: "permission_denied", status: 403 });
});
