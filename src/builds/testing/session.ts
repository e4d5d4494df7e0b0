/** For tests and measurements: sessions as BuildKit's clients write them, and what is read from them. */
import { BinaryWriter, WireType } from "@bufbuild/protobuf/wire";
import { frameMessage } from "#platform/grpc/split-messages.ts";
import { createSeenFiles } from "../context/seen-files.ts";
import { openExchange } from "./exchange.ts";
import { watchSession } from "../context/watch-session.ts";

/** Size of fsutil's packets. */
const DATA_BYTES = 32 * 1024;
/** Size of the pieces in which a connection reaches the port. */
const CHUNK_BYTES = 16 * 1024;

interface Chunk {
  from: "builder" | "client";
  chunk: Buffer;
}

const message = (write: (writer: BinaryWriter) => void) => {
  const writer = new BinaryWriter();
  write(writer);
  return frameMessage(writer.finish());
};

function packetsOf(files: number, bytes: number): Buffer[] {
  const list = Array.from({ length: files }, (_, at) => {
    const stat = new BinaryWriter();
    stat.tag(1, WireType.LengthDelimited).string(`folder/file-${at}`);
    stat.tag(2, WireType.Varint).uint32(0o644);
    stat.tag(5, WireType.Varint).int64(bytes);
    stat.tag(6, WireType.Varint).int64(1_790_000_000_000_000_000n);
    return message((writer) => writer.tag(2, WireType.LengthDelimited).bytes(stat.finish()));
  });
  const data = (id: number, part: Uint8Array) =>
    message((writer) => {
      writer.tag(1, WireType.Varint).uint32(2).tag(3, WireType.Varint).uint32(id);
      if (part.length > 0) writer.tag(4, WireType.LengthDelimited).bytes(part);
    });
  const all = [...list, frameMessage(new Uint8Array())];
  for (let id = 0; id < files; id += 1) {
    for (let left = bytes; left > 0; left -= DATA_BYTES)
      all.push(data(id, Buffer.alloc(Math.min(left, DATA_BYTES), id)));
    all.push(data(id, new Uint8Array()));
  }
  return all;
}

/** @public One folder of files of the same size, all of which the builder requests. */
export async function writeSession(files: number, bytes: number): Promise<Chunk[]> {
  const headers = { ":path": "/moby.filesync.v1.FileSync/DiffCopy", "dir-name": "context" };
  const { parts } = await openExchange([{ headers, answer: packetsOf(files, bytes) }]);
  return parts.flatMap(({ from, bytes: part }) => {
    const wrapped = message((writer) => writer.tag(1, WireType.LengthDelimited).bytes(part));
    return Array.from({ length: Math.ceil(wrapped.length / CHUNK_BYTES) }, (_, at) => ({
      from,
      chunk: wrapped.subarray(at * CHUNK_BYTES, (at + 1) * CHUNK_BYTES),
    }));
  });
}

/** @public @returns how many files are known, and how many contents */
export function readSession(chunks: readonly Chunk[]): { files: number; contents: number } {
  const seen = createSeenFiles();
  const session = watchSession({ seen, onSecret: () => undefined, onUnread: () => undefined });
  for (const { from, chunk } of chunks)
    if (from === "builder") session.fromBuilder(chunk);
    else session.fromClient(chunk);
  session.end();
  const files = [...(seen.folders()["context"]?.files.values() ?? [])];
  seen.release();
  return { files: files.length, contents: files.filter(({ digest }) => digest !== null).length };
}
