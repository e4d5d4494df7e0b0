/**
 * Reads from a client's session which files it has, and the secrets that steps mount: the builder requests them there. A session is
 * a connection of its own within the bytes of one call. Nothing is delayed or changed, and unreadable data is not followed any
 * further.
 *
 *   client ══ Session: BytesMessage ══► HTTP/2 ══► DiffCopy ══► packets: list of files, data of those that the builder lacks
 *                                              ══► GetSecret ══► a value
 */
import { createFrameSplitter } from "./split-frames.ts";
import { createHeaderReader } from "./hpack.ts";
import { createPacketSplitter } from "./read-packets.ts";
import { readStat } from "./read-stat.ts";
import type { FolderTransfer, SeenFiles } from "./seen-files.ts";
import { createSecretAnswers } from "./secret-answers.ts";
import { Unreadable } from "./unreadable.ts";
import { createBytesUnwrapper } from "./unwrap-bytes.ts";

/** Parts of a session, cut anywhere, in the order in which they arrived. */
export interface SessionWatch {
  fromBuilder: (chunk: Buffer) => void;
  /** @throws Error of `onSecret` */
  fromClient: (chunk: Buffer) => void;
  /** The session has ended. */
  end: () => void;
}

export interface Watched {
  seen: SeenFiles;
  /** May throw, which ends the watch. */
  onSecret: (value: Uint8Array) => void;
  /** The rest of the session cannot be read. */
  onUnread: () => void;
}

export const GET_SECRET = "/moby.buildkit.secrets.v1.Secrets/GetSecret";
const DIFF_COPY = "/moby.filesync.v1.FileSync/DiffCopy";
const FOLDER = "dir-name";

interface Transfer {
  folder: FolderTransfer;
  push: (part: Buffer) => void;
}

export function watchSession({ seen, onSecret, onUnread }: Watched): SessionWatch {
  const transfers = new Map<number, Transfer>();
  const answers = createSecretAnswers(onSecret);
  const headers = createHeaderReader();
  let isOver = false;
  const close = (stream: number) => {
    transfers.get(stream)?.folder.close();
    transfers.delete(stream);
    answers.close(stream);
  };
  const push = (stream: number, part: Buffer) => {
    answers.push(stream, part);
    try {
      transfers.get(stream)?.push(part);
    } catch (cause) {
      if (!(cause instanceof Unreadable)) throw cause;
      // Affects one folder: the others are still read.
      close(stream);
    }
  };
  const end = () => {
    isOver = true;
    for (const stream of transfers.keys()) close(stream);
    answers.end();
  };
  const fromBuilder = createFrameSplitter(
    {
      onHeaders(stream, block) {
        // Always read: later blocks refer to it.
        const fields = new Map(headers.read(block));
        if (fields.get(":path") === GET_SECRET) answers.open(stream);
        if (fields.get(":path") !== DIFF_COPY || transfers.has(stream)) return;
        const folder = seen.open(readFolder(fields));
        if (folder) transfers.set(stream, { folder, push: followFolder(folder) });
      },
      onData: () => undefined,
      onEnd: () => undefined,
    },
    true,
  );
  const fromClient = createFrameSplitter({ onData: push, onEnd: close }, false);
  const guarded = (read: (chunk: Buffer) => void) => {
    const unwrap = createBytesUnwrapper(read);
    return (chunk: Buffer) => {
      if (isOver) return;
      try {
        unwrap(chunk);
      } catch (cause) {
        end();
        if (!(cause instanceof Unreadable)) throw cause;
        onUnread();
      }
    };
  };
  return { fromBuilder: guarded(fromBuilder), fromClient: guarded(fromClient), end };
}

/** Names that are not ASCII are percent-encoded. */
function readFolder(fields: ReadonlyMap<string, string>): string {
  const name = fields.get(FOLDER) ?? "";
  if (fields.get(`${FOLDER}-encoded`) !== "1") return name;
  try {
    return decodeURIComponent(name.replaceAll("+", " "));
  } catch (cause) {
    throw new Unreadable("the name of a folder cannot be read", { cause });
  }
}

function followFolder(folder: FolderTransfer): (part: Buffer) => void {
  return createPacketSplitter({
    onStat(bytes) {
      // Reading takes longer than receiving, so what would not be kept is not read.
      if (folder.isFull()) return;
      const { path, file } = readStat(bytes);
      folder.addFile(path, file);
    },
    onListEnd: () => folder.endList(),
    onData: (id, part) => folder.addData(id, part),
    onFileEnd: (id) => folder.endFile(id),
  });
}
