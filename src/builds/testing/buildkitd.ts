/** For tests: replaces a `buildkitd`. It returns the status that the test gives it for each solve, and has no other data. */
import { once } from "node:events";
import { createServer } from "node:http2";
import { create, type MessageInitShape, toBinary } from "@bufbuild/protobuf";
import { frameMessage } from "#platform/grpc/split-messages.ts";
import { StatusResponseSchema } from "../gen/buildkit/control_pb.ts";

export type SaidOfSolve = MessageInitShape<typeof StatusResponseSchema>;

/** @param socket path at which it is created */
export async function startTestBuildkitd(socket: string, said: SaidOfSolve = {}) {
  const status = frameMessage(toBinary(StatusResponseSchema, create(StatusResponseSchema, said)));
  const server = createServer().on("stream", (stream, headers) => {
    stream.respond({ ":status": 200, "content-type": "application/grpc" }, { waitForTrailers: true });
    stream.once("wantTrailers", () => stream.sendTrailers({ "grpc-status": "0" }));
    if (headers[":path"] === "/moby.buildkit.v1.Control/Status") stream.write(status);
    stream.resume().end();
  });
  server.listen(socket);
  await once(server, "listening");
  return { close: () => void server.close() };
}
