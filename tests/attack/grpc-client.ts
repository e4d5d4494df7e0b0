/** One gRPC call with one message, on a connection of its own. */
import { once } from "node:events";
import { connect } from "node:http2";
import { connect as connectSocket } from "node:net";
import { frameMessage } from "#platform/grpc/split-messages.ts";
import { ANSWER_TIMEOUT_MS } from "./bounds.ts";

export interface GrpcCall {
  /** `/package.Service/Method` */
  path: string;
  message: Buffer;
  authorization: string;
  /** The attacker's own address. */
  from?: string;
  /** The client's, for a server that believes it. */
  forwardedFor?: string;
}

/** @returns gRPC's code; null when the connection was cut, -1 when there was no answer in time */
export async function callGrpc(
  port: number,
  { path, message, authorization, from, forwardedFor }: GrpcCall,
): Promise<number | null> {
  const place = {
    host: "127.0.0.1",
    port,
    ...(from && process.platform === "linux" && { localAddress: from }),
  };
  const session = connect(`http://127.0.0.1:${port}`, { createConnection: () => connectSocket(place) });
  session.on("error", () => {});
  const stream = session.request({
    ":method": "POST",
    ":path": path,
    "content-type": "application/grpc",
    te: "trailers",
    authorization,
    ...(forwardedFor && { "x-forwarded-for": forwardedFor }),
  });
  stream.on("error", () => {});
  let code: number | null = null;
  let isLate = false;
  for (const event of ["response", "trailers"])
    stream.on(event, (headers: Record<string, unknown>) => {
      if (headers["grpc-status"] !== undefined) code = Number(headers["grpc-status"]);
    });
  stream.resume().end(frameMessage(message));
  const giveUp = setTimeout(() => ((isLate = true), stream.destroy()), ANSWER_TIMEOUT_MS);
  if (!stream.destroyed) await once(stream, "close");
  clearTimeout(giveUp);
  session.destroy();
  return isLate ? -1 : code;
}
