/** The session of a build's client: a connection of HTTP/2 in the bytes of one call. */
import { PREFACE } from "#platform/http/raw-frames.ts";
import { repeat, type Shape } from "./shapes.ts";

const HEAD_BYTES = 5;

/** A part of the connection, as a message with one field. */
function part(bytes: Uint8Array): Buffer {
  const head = Buffer.from([0, 0, 0, 0, 0, 0x0a, ...lengthOf(bytes.length)]);
  head.writeUInt32BE(head.length - HEAD_BYTES + bytes.length, 1);
  return Buffer.concat([head, bytes]);
}

function lengthOf(length: number): number[] {
  return length < 128 ? [length] : [(length % 128) | 128, ...lengthOf(Math.floor(length / 128))];
}

const frame = (type: number, payload: readonly number[]) => [
  0,
  0,
  payload.length,
  type,
  0,
  0,
  0,
  0,
  1,
  ...payload,
];
const [DATA, HEADERS, CONTINUATION] = [0, 1, 9];

const frames: [name: string, unit: readonly number[]][] = [
  ["empty data", frame(DATA, [])],
  ["data of one byte", frame(DATA, [0])],
  ["data of empty messages", frame(DATA, [0, 0, 0, 0, 0])],
  ["data of files", frame(DATA, [0, 0, 0, 0, 4, 0x12, 2, 0x0a, 0])],
  ["heads", frame(HEADERS, [0x82])],
  ["heads that continue", frame(CONTINUATION, [0x82])],
  ["heads of Huffman's code", frame(HEADERS, [0x40, 0x81, 0xff, 0x81, 0xff])],
  ["an unknown kind", frame(0xff, [])],
];

export const sessionShapes: readonly Shape[] = [
  ...frames.map(([name, unit]) => ({
    name: `a session of ${name}`,
    make: (size: number) => part(Buffer.concat([Buffer.from(PREFACE), repeat(unit, size - 40)])),
  })),
  { name: "a session of one byte after the other", make: (size) => repeat(part(Buffer.from("a")), size) },
];
