import { Code } from "@connectrpc/connect";

/** Ends a call instead of an answer. The message is for the client's user. */
export class GrpcError extends Error {
  readonly code: Code;

  constructor(code: Code, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

/** Characters of a message; each can become twelve. */
const MAX_MESSAGE_LENGTH = 500;

/** Encodes for `grpc-message`: percent-encoded UTF-8, except printable ASCII. */
export function encodeGrpcMessage(message: string): string {
  const bytes = Buffer.from(message.slice(0, MAX_MESSAGE_LENGTH)).toString("latin1");
  return bytes.replaceAll(
    /[^\x20-\x24\x26-\x7e]/g,
    (byte) => `%${byte.charCodeAt(0).toString(16).toUpperCase().padStart(2, "0")}`,
  );
}

const UNITS: ReadonlyMap<string, number> = new Map([
  ["H", 3_600_000],
  ["M", 60_000],
  ["S", 1000],
  ["m", 1],
  ["u", 1 / 1000],
  ["n", 1 / 1_000_000],
]);
/** The longest timer of Node.js. */
const MAX_TIMEOUT_MS = 2 ** 31 - 1;

/**
 * Milliseconds of `grpc-timeout`; null if absent.
 * @throws GrpcError for a malformed value
 */
export function readGrpcTimeout(header: string | undefined): number | null {
  if (header === undefined) return null;
  const [, digits, unit = ""] = /^(\d{1,8})([HMSmun])$/.exec(header) ?? [];
  const factor = UNITS.get(unit);
  if (digits === undefined || factor === undefined)
    throw new GrpcError(
      Code.InvalidArgument,
      "grpc-timeout must be one to eight digits and one of H, M, S, m, u and n",
    );
  return Math.min(Math.ceil(Number(digits) * factor), MAX_TIMEOUT_MS);
}

export const tooLate = () =>
  new GrpcError(Code.DeadlineExceeded, "the response was not ready within the client's deadline");

export const endedEarly = (): GrpcError =>
  new GrpcError(Code.InvalidArgument, "the request ended before its message was complete");
