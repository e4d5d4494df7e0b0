/** For tests: in the place of a `buildkitd`. It says of each solve what the test has it say, and has nothing else. */
import { once } from "node:events";
import { createServer } from "node:http2";
import { create, type MessageInitShape, toBinary } from "@bufbuild/protobuf";
import { frameMessage } from "#platform/grpc/split-messages.ts";
import { StatusResponseSchema } from "../gen/buildkit/control_pb.ts";

export type SaidOfSolve = MessageInitShape<typeof StatusResponseSchema>;

/** @param socket where it is made */
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
