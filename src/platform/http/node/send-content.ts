/** Answers with the content of a blob: all of it, a part, or only its headers, according to HTTP's conditions and ranges. */
import type { BlobReader } from "../../blobs/open-blob.ts";
import type { Blob } from "../../blobs/schema.ts";
import { type Headers, type NodeCall, writeHead } from "./answer.ts";
import { readRange } from "./read-range.ts";
import { sendBlob } from "./send-blob.ts";

/** The part of a content to send, and its head. */
export interface ContentPart {
  start: number;
  /** Exclusive. */
  end: number;
  status: 200 | 206;
  head: Headers;
}

export interface Content {
  size: number;
  etag: string;
  /** Headers of an answer with its bytes. */
  head: Headers;
}

/** @returns "known": the client has it; "unsatisfiable": the content has no such range */
export function choosePart(
  { headers }: NodeCall["request"],
  { size, etag, head }: Content,
): ContentPart | "known" | "unsatisfiable" {
  if (hasTag(headers["if-none-match"], etag)) return "known";
  const range = readRange(headers, { size, etag });
  if (range === "unsatisfiable") return range;
  const [start, end] = range ?? [0, size];
  return {
    start,
    end,
    status: range ? 206 : 200,
    head: {
      ...head,
      "content-length": end - start,
      ...(range && { "content-range": `bytes ${start}-${end - 1}/${size}` }),
    },
  };
}

/** Whether `If-None-Match` names the tag. */
export function hasTag(header: string | undefined, etag: string): boolean {
  if (header === undefined) return false;
  return header.split(",").some((each) => each.trim() === "*" || each.trim().replace(/^W\//, "") === etag);
}

export function sendHead(
  { response }: Pick<NodeCall, "response">,
  { status, head }: Pick<ContentPart, "status" | "head">,
): void {
  writeHead(response, status, head);
  response.end();
}

/** @param open called unless the bytes are at hand. @throws its errors and the reader's, before anything was sent or midway */
export async function sendPart(
  call: NodeCall & { sentBytes: number },
  blob: Blob,
  { start, end, status, head }: ContentPart,
  open: () => Promise<BlobReader>,
): Promise<void> {
  const { response } = call;
  const { content, encoding } = blob;
  if (content && encoding === "identity") {
    writeHead(response, status, head);
    call.sentBytes = end - start;
    response.end(content.subarray(start, end));
    return;
  }
  const reader = await open();
  try {
    const begin = () => writeHead(response, status, head);
    const onSent = (bytes: number) => void (call.sentBytes += bytes);
    await sendBlob(call, reader, { start, end, begin, onSent });
  } finally {
    await reader.close();
  }
}
