/** For tests: HTTP/2 frame by frame (RFC 9113, 4.1), in ways that no well-behaved client uses. */
import { connectRaw, type RawOptions } from "./raw-client.ts";

export const TYPE = {
  data: 0,
  headers: 1,
  reset: 3,
  settings: 4,
  ping: 6,
  goaway: 7,
  windowUpdate: 8,
  continuation: 9,
} as const;

export const PREFACE = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";
export const END_STREAM = 0x1;
export const END_HEADERS = 0x4;
export const ACK = 0x1;

const HEAD_BYTES = 9;

export interface Frame {
  type: number;
  flags: number;
  stream: number;
  payload: Buffer;
}

export function frame(
  type: number,
  flags: number,
  stream: number,
  payload: Uint8Array = Buffer.alloc(0),
): Buffer {
  const head = Buffer.alloc(HEAD_BYTES);
  head.writeUIntBE(payload.length, 0, 3);
  head.writeUInt8(type, 3);
  head.writeUInt8(flags, 4);
  head.writeUInt32BE(stream, 5);
  return Buffer.concat([head, payload]);
}

/** @param values identifiers of RFC 9113, 6.5.2, such as 4 for the initial window */
export function settings(values: Record<number, number> = {}): Buffer {
  const entries = Object.entries(values).map(([id, value]) => {
    const entry = Buffer.alloc(6);
    entry.writeUInt16BE(Number(id), 0);
    entry.writeUInt32BE(value, 2);
    return entry;
  });
  return frame(TYPE.settings, 0, 0, Buffer.concat(entries));
}

/** A header block whose lines are not added to any table (RFC 7541, 6.2.2). */
export function headerBlock(lines: Record<string, string>): Buffer {
  const text = (value: string) => {
    const bytes = Buffer.from(value);
    return Buffer.concat([integer(bytes.length, 7), bytes]);
  };
  return Buffer.concat(
    Object.entries(lines).flatMap(([name, value]) => [Buffer.from([0]), text(name), text(value)]),
  );
}

/** RFC 7541, 5.1. */
function integer(value: number, prefixBits: number): Buffer {
  const limit = 2 ** prefixBits - 1;
  if (value < limit) return Buffer.from([value]);
  const bytes = [limit];
  for (let rest = value - limit; ; rest = Math.floor(rest / 128)) {
    if (rest < 128) return Buffer.from([...bytes, rest]);
    bytes.push((rest % 128) + 128);
  }
}

export const requestLines = (path: string, more: Record<string, string> = {}): Record<string, string> => ({
  ":method": "GET",
  ":scheme": "http",
  ":path": path,
  ":authority": "localhost",
  ...more,
});

export const request = (stream: number, path: string, more: Record<string, string> = {}): Buffer =>
  frame(TYPE.headers, END_HEADERS | END_STREAM, stream, headerBlock(requestLines(path, more)));

export const upload = (stream: number, path: string): Buffer =>
  frame(TYPE.headers, END_HEADERS, stream, headerBlock(requestLines(path, { ":method": "POST" })));

export const reset = (stream: number, code = 8): Buffer =>
  frame(TYPE.reset, 0, stream, Buffer.from([0, 0, 0, code]));

export function windowUpdate(stream: number, bytes: number): Buffer {
  const payload = Buffer.alloc(4);
  payload.writeUInt32BE(bytes);
  return frame(TYPE.windowUpdate, 0, stream, payload);
}

/** Every complete frame that a server sent, in `latin1`. */
function framesOf(text: string): Frame[] {
  const bytes = Buffer.from(text, "latin1");
  const frames: Frame[] = [];
  for (let at = 0; at + HEAD_BYTES <= bytes.length;) {
    const end = at + HEAD_BYTES + bytes.readUIntBE(at, 3);
    if (end > bytes.length) break;
    frames.push({
      type: bytes.readUInt8(at + 3),
      flags: bytes.readUInt8(at + 4),
      stream: bytes.readUInt32BE(at + 5),
      payload: bytes.subarray(at + HEAD_BYTES, end),
    });
    at = end;
  }
  return frames;
}

/** The reason in each received GOAWAY (RFC 9113, 7). */
export const goawayCodes = (text: string): number[] =>
  framesOf(text)
    .filter(({ type }) => type === TYPE.goaway)
    .map(({ payload }) => payload.readUInt32BE(4));

export interface RawSession {
  socket: Awaited<ReturnType<typeof connectRaw>>["socket"];
  send: (...frames: Buffer[]) => void;
  /** The frames received so far. */
  frames: () => Frame[];
  /** Resolves with all frames once one matches, or the connection has ended. */
  until: (isWanted: (frame: Frame) => boolean) => Promise<Frame[]>;
  /** Resolves with all frames once the connection has ended. */
  ended: () => Promise<string>;
}

/** Opens a session, in clear text without a `ca`. @param values its settings */
export async function connectFrames(
  port: number,
  { values = {}, ...options }: { values?: Record<number, number> } & RawOptions = {},
): Promise<RawSession> {
  const client = await connectRaw(port, "", options);
  const isClosed = new Promise<void>((resolve) => client.socket.once("close", () => resolve()));
  client.read();
  client.socket.write(Buffer.concat([Buffer.from(PREFACE), settings(values)]));
  return {
    socket: client.socket,
    send: (...frames) => void client.socket.write(Buffer.concat(frames)),
    frames: () => framesOf(client.read()),
    async until(isWanted) {
      for (;;) {
        const all = framesOf(client.read());
        if (client.socket.destroyed || all.some(isWanted)) return all;
        await Promise.race([isClosed, new Promise((resolve) => client.socket.once("data", resolve))]);
      }
    },
    ended: () => client.ended(),
  };
}
