/** Unary calls and reads of gRPC over `http2`, with messages encoded in advance. */
import { once } from "node:events";
import { connect, constants } from "node:http2";

export interface GrpcClient {
  /** @returns bytes of the answer. Throws for a status that is not in `expected`. */
  send: (call: GrpcCall) => Promise<number>;
  close: () => void;
}

export interface GrpcCall {
  /** `/build.bazel.remote.execution.v2.ActionCache/GetActionResult` */
  path: string;
  message: Buffer;
  token: string;
  /** gRPC status codes: 0, 5. */
  expected: readonly number[];
}

/** Adds the five bytes of the frame's head. */
export function frame(message: Uint8Array): Buffer {
  const framed = Buffer.alloc(5 + message.length);
  framed.writeUInt32BE(message.length, 1);
  framed.set(message, 5);
  return framed;
}

const WINDOW_BYTES = 16 * 1024 * 1024;

export async function openGrpc(port: number): Promise<GrpcClient> {
  const session = connect(`http://127.0.0.1:${port}`, { settings: { initialWindowSize: WINDOW_BYTES } });
  session.on("error", () => {});
  await once(session, "connect");
  session.setLocalWindowSize(WINDOW_BYTES);
  return {
    send: ({ path, message, token, expected }) =>
      new Promise((resolve, reject) => {
        let received = 0;
        let status = "";
        const stream = session.request({
          [constants.HTTP2_HEADER_METHOD]: "POST",
          [constants.HTTP2_HEADER_PATH]: path,
          "content-type": "application/grpc",
          te: "trailers",
          authorization: `Bearer ${token}`,
        });
        const read = (headers: { "grpc-status"?: unknown }) => {
          if (headers["grpc-status"] !== undefined) status = String(headers["grpc-status"]);
        };
        stream
          .on("response", read)
          .on("trailers", read)
          .on("data", (chunk: Buffer) => (received += chunk.length))
          .once("error", reject)
          .once("close", () => {
            if (expected.includes(Number(status)) && status !== "") resolve(received);
            else reject(new Error(`${path} was answered with ${status || "no status"}.`));
          });
        stream.end(message);
      }),
    close: () => session.destroy(),
  };
}
