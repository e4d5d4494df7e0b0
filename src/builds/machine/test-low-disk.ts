/** For tests: builders whose layer caches are on a real disk, and which have nothing there that could be removed. */
import { once } from "node:events";
import { createServer } from "node:http2";
import { join } from "node:path";
import { makeSpace } from "./disk.ts";
import type { Builders } from "./machine.ts";

/** @param socketFolder of another disk @param folder of the layer caches */
export async function openLowDiskBuilders(builders: Builders, socketFolder: string, folder: string) {
  const socket = join(socketFolder, "buildkitd.sock");
  // In the place of buildkitd: it prunes nothing.
  const buildkitd = createServer().on("stream", (stream) => {
    stream.respond({ ":status": 200, "content-type": "application/grpc" }, { waitForTrailers: true });
    stream.once("wantTrailers", () => stream.sendTrailers({ "grpc-status": "0" }));
    stream.resume().end();
  });
  buildkitd.listen(socket);
  await once(buildkitd, "listening");
  const open: Builders["open"] = async (want, options) => {
    await makeSpace(socket, folder);
    return builders.open(want, options);
  };
  return { builders: { ...builders, open }, close: () => buildkitd.close() };
}
