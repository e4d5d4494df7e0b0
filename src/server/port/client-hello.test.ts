/**
 * The name that a TLS client requests:
 * 1. It is found in real clients' first messages, in one piece, byte by byte, and in records of any size; without a name there is
 *    none.
 * 2. Nothing is awaited after the message, or beyond the largest message; anything else has no name.
 * 3. Damaged and random bytes give a result, null or text, immediately.
 */
import { once } from "node:events";
import { createServer, type Socket } from "node:net";
import type { AddressInfo } from "node:net";
import { connect, type ConnectionOptions } from "node:tls";
import fc from "fast-check";
import { expect, test } from "vitest";
import { readServerName } from "./client-hello.ts";

const NAME = "builders.millrace.internal";

/** The first message of this process's own TLS. */
async function sayHello(options: ConnectionOptions): Promise<Buffer> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const client = connect({ host: "127.0.0.1", port: (server.address() as AddressInfo).port, ...options });
  client.on("error", () => {});
  const [socket] = (await once(server, "connection")) as [Socket];
  const [hello] = (await once(socket, "data")) as [Buffer];
  client.destroy();
  socket.destroy();
  server.close();
  return hello;
}

/** The same message in records of this many bytes. */
function cut(hello: Buffer, size: number): Buffer {
  const message = hello.subarray(5);
  const records: Buffer[] = [];
  for (let at = 0; at < message.length; at += size) {
    const part = message.subarray(at, at + size);
    records.push(Buffer.from([0x16, 3, 1, part.length >> 8, part.length & 255]), part);
  }
  return Buffer.concat(records);
}

test("1. real clients", async () => {
  const hello = await sayHello({ servername: NAME, ALPNProtocols: ["h2"] });
  expect(readServerName(hello)).toBe(NAME);
  for (let length = 0; length < hello.length; length += 1)
    expect(readServerName(hello.subarray(0, length))).toBeUndefined();
  for (const size of [50, 100, hello.length - 6]) expect(readServerName(cut(hello, size))).toBe(NAME);
  const many = cut(hello, 100);
  for (let length = 0; length < many.length; length += 1)
    expect(readServerName(many.subarray(0, length))).toBeUndefined();
  expect(readServerName(await sayHello({ servername: "localhost", maxVersion: "TLSv1.2" }))).toBe(
    "localhost",
  );
  expect(readServerName(await sayHello({}))).toBeNull();
});

test("2. the end of the message", async () => {
  const hello = await sayHello({ servername: NAME });
  expect(readServerName(Buffer.concat([hello, Buffer.from("more")]))).toBe(NAME);
  // It claims to be longer than the maximum, is split too finely, or is another message.
  const long = Buffer.from(hello.subarray(0, 9));
  long.writeUIntBE(16 * 1024, 6, 3);
  expect(readServerName(long)).toBeNull();
  expect(readServerName(cut(hello, 1))).toBeNull();
  expect(readServerName(Buffer.from([0x16, 3, 1, 0, 5, 2, 0, 0, 1, 0]))).toBeNull();
  expect(readServerName(Buffer.from([0x16, 3, 1, 0, 0]))).toBeNull();
  expect(readServerName(Buffer.from([0x16, 2, 1, 0, 5]))).toBeNull();
});

test("3. damaged bytes", async () => {
  const hello = await sayHello({ servername: NAME, ALPNProtocols: ["h2", "http/1.1"] });
  const isAnswer = (answer: unknown) => answer === undefined || answer === null || typeof answer === "string";
  const changes = fc.array(fc.tuple(fc.nat(hello.length - 1), fc.nat(255)), { minLength: 1, maxLength: 8 });
  fc.assert(
    fc.property(changes, fc.nat(hello.length), (changed, length) => {
      const bytes = Buffer.from(hello);
      for (const [at, value] of changed) bytes[at] = value;
      expect(isAnswer(readServerName(bytes.subarray(0, length)))).toBe(true);
    }),
    { numRuns: 3000 },
  );
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 600 }), (random) => {
      const bytes = Buffer.concat([Buffer.from([0x16, 3, 1, 2, 0, 1, 0, 1, 252]), random]);
      expect(isAnswer(readServerName(bytes))).toBe(true);
    }),
    { numRuns: 3000 },
  );
});
