/** Brings a body to the server over HTTP/1.1 or HTTP/2, and says how it was answered. */
import { type ClientHttp2Session, connect } from "node:http2";
import { connect as connectSocket } from "node:net";
import { isFailure } from "../attack.ts";
import { ANSWER_TIMEOUT_MS } from "../bounds.ts";
import { type Endpoint, openClient } from "../builders-client.ts";
import { send, type Sent } from "../requests.ts";

export interface Carried extends Sent {
  method: string;
  headers: { [name: string]: string };
  body: Buffer;
  isHttp2: boolean;
  /** Its answer may have no end: it is not waited for. */
  isStream?: boolean;
  isBuilder?: boolean;
}

export interface Server {
  port: number;
  /** The address and credentials of a builder; null: there are no builders here. */
  builder: { port: number; endpoint: Endpoint } | null;
}

export interface Outcome {
  /** `200`, `200, grpc 8`, `cut`, `no answer` */
  text: string;
  /** A failure: an error of the server's own, or no answer for a long time. */
  isBad: boolean;
}

/** Milliseconds after which an answer that may have no end is abandoned. */
const STREAM_MS = 500;

const noAnswer = ({ isStream }: Carried): Outcome =>
  isStream ? { text: "no end", isBad: false } : { text: "no answer", isBad: true };

export async function carry(server: Server, sent: Carried): Promise<Outcome> {
  if (sent.isHttp2) return carryHttp2(server, sent);
  const { status, headers, failure, body } = await send(server.port, {
    ...sent,
    ...(sent.isStream && { timeoutMs: STREAM_MS }),
  });
  if (failure?.startsWith("no answer")) return noAnswer(sent);
  const grpc = headers["grpc-status"] ?? /grpc-status: ?(\d+)/.exec(body.toString("latin1"))?.[1];
  return describe(status, headers, grpc);
}

function describe(status: number, headers: { [name: string]: string | undefined }, grpc?: string): Outcome {
  const answered = status === 0 ? "cut" : String(status);
  return {
    text: grpc === undefined ? answered : `${answered}, grpc ${grpc}`,
    isBad: isFailure({ status, headers }),
  };
}

async function carryHttp2(server: Server, sent: Carried): Promise<Outcome> {
  const { method, path, headers, body, isStream = false } = sent;
  const session = await openSession(server, sent);
  session.on("error", () => {});
  const isEmpty = body.length === 0;
  const stream = session.request(
    { ":method": method, ":path": path, te: "trailers", ...headers },
    { endStream: isEmpty },
  );
  stream.on("error", () => {});
  const answered: Record<string, string> = {};
  for (const event of ["response", "trailers"])
    stream.on(event, (fields: Record<string, unknown>) => {
      for (const [name, value] of Object.entries(fields)) answered[name] = String(value);
    });
  let isLate = false;
  const giveUp = setTimeout(
    () => ((isLate = true), stream.destroy()),
    isStream ? STREAM_MS : ANSWER_TIMEOUT_MS,
  );
  stream.resume();
  if (!isEmpty) stream.end(body);
  // Not `once` of node:events, which fails where the stream does: a connection that is cut is an answer here.
  if (!stream.destroyed) await new Promise<void>((resolve) => void stream.once("close", resolve));
  clearTimeout(giveUp);
  session.destroy();
  if (isLate) return noAnswer(sent);
  return describe(Number(answered[":status"] ?? 0), answered, answered["grpc-status"]);
}

async function openSession(
  { port, builder }: Server,
  { from, isBuilder }: Carried,
): Promise<ClientHttp2Session> {
  if (isBuilder && builder) return openClient(builder.port, builder.endpoint);
  const place = {
    host: "127.0.0.1",
    port,
    ...(from && process.platform === "linux" && { localAddress: from }),
  };
  return connect(`http://127.0.0.1:${port}`, { createConnection: () => connectSocket(place) });
}
