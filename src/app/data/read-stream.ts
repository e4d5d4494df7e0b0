/**
 * Streams of the API: Connect's frames over `fetch`, with JSON in each.
 *
 *   flags (1 byte) · length (4 bytes, big-endian) · JSON          flags 2: the end, with an error if there is one
 *
 * https://connectrpc.com/docs/protocol/#streaming-rpcs
 */
import { asSentence } from "./as-sentence.ts";
import { CallError, errorOf, noteSignedOut } from "./call.ts";

const HEAD = 5;
const END = 2;
/** A message is a line of a log, or a build with its steps. */
const MAX_FRAME_BYTES = 32_000_000;

interface Options {
  organization: string;
  signal: AbortSignal;
}

/**
 * Messages as they arrive: all messages of a chunk together.
 * @param method "BuildService/StreamLogs"
 * @throws CallError when it is refused, or cut before its end; the signal's reason when it is aborted
 */
export async function* readStream<Message>(
  method: string,
  request: object,
  { organization, signal }: Options,
): AsyncGenerator<readonly Message[], void> {
  const response = await fetch(`/api/millrace.v1.${method}`, {
    method: "POST",
    cache: "no-store",
    headers: {
      "Content-Type": "application/connect+json",
      "Connect-Protocol-Version": "1",
      "Millrace-Org": organization,
    },
    body: writeFrame(request),
    signal,
  }).catch((cause: unknown) => {
    throw signal.aborted ? cause : cutOff();
  });
  if (!response.ok) {
    const error = errorOf(response, await response.json().catch(() => undefined));
    if (error.status === 401) noteSignedOut();
    throw error;
  }
  yield* readFrames<Message>(response, signal);
}

function writeFrame(message: object): Uint8Array<ArrayBuffer> {
  const text = new TextEncoder().encode(JSON.stringify(message));
  const frame = new Uint8Array(HEAD + text.length);
  new DataView(frame.buffer).setUint32(1, text.length);
  frame.set(text, HEAD);
  return frame;
}

async function* readFrames<Message>(
  response: Response,
  signal: AbortSignal,
): AsyncGenerator<readonly Message[], void> {
  if (!response.body) throw cutOff();
  const reader = response.body.getReader();
  let rest = new Uint8Array();
  try {
    for (;;) {
      const { value, done } = await reader.read().catch((cause: unknown) => {
        throw signal.aborted ? cause : cutOff();
      });
      if (done) throw cutOff();
      const taken = takeFrames<Message>(rest.length > 0 ? join(rest, value) : value);
      rest = taken.rest;
      if (taken.messages.length > 0) yield taken.messages;
      if (taken.end !== null) return throwEnd(taken.end, response);
    }
  } finally {
    // The rest is not read.
    await reader.cancel().catch(() => {});
  }
}

interface Taken<Message> {
  messages: Message[];
  /** Bytes of an incomplete frame. */
  rest: Uint8Array<ArrayBuffer>;
  /** Content of the last frame; null: not yet received. */
  end: string | null;
}

function takeFrames<Message>(bytes: Uint8Array<ArrayBuffer>): Taken<Message> {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const decoder = new TextDecoder();
  const messages: Message[] = [];
  let at = 0;
  while (bytes.length - at >= HEAD) {
    const length = view.getUint32(at + 1);
    if (length > MAX_FRAME_BYTES)
      throw new CallError("The server sent a message that is too large for this page.", UNREAD);
    if (bytes.length - at - HEAD < length) break;
    const text = decoder.decode(bytes.subarray(at + HEAD, at + HEAD + length));
    const isEnd = (view.getUint8(at) & END) !== 0;
    at += HEAD + length;
    // The shapes are generated from the same contract as the server.
    if (isEnd) return { messages, rest: bytes.subarray(at), end: text };
    messages.push(JSON.parse(text) as Message);
  }
  return { messages, rest: bytes.subarray(at), end: null };
}

const UNREAD = { code: "unknown", status: 500 };
const STATUSES = new Map([
  ["unauthenticated", 401],
  ["permission_denied", 403],
  ["not_found", 404],
  ["resource_exhausted", 429],
  ["unimplemented", 501],
  ["unavailable", 503],
]);

/** @throws CallError of the frame that ends the stream */
function throwEnd(text: string, response: Response): void {
  const { error } = JSON.parse(text) as { error?: { code?: string; message?: string } };
  if (!error) return;
  const { code = "unknown", message } = error;
  const status = STATUSES.get(code) ?? 500;
  if (status === 401) noteSignedOut();
  throw new CallError(message ? asSentence(message) : `The server answered “${code}”.`, {
    code,
    status,
    requestId: response.headers.get("x-request-id") ?? undefined,
  });
}

const cutOff = () =>
  new CallError("The server does not respond. Check that it is running and that you are online.", {
    code: "unreachable",
    status: 0,
  });

function join(first: Uint8Array, second: Uint8Array): Uint8Array<ArrayBuffer> {
  const joined = new Uint8Array(first.length + second.length);
  joined.set(first);
  joined.set(second, first.length);
  return joined;
}
