/** For tests: a `buildkitd` that has only records of ended solves, and removes them as the real one does. */
import { once } from "node:events";
import { createServer } from "node:http2";
import { connectNodeAdapter } from "@connectrpc/connect-node";
import { timestampFromMs } from "@bufbuild/protobuf/wkt";
import { Control } from "../gen/buildkit/control_pb.ts";

/** @param refs of its records; those that it removes are taken from it */
export async function startKeptRecords(socket: string, refs: Set<string>) {
  const prunes: (readonly string[])[] = [];
  const server = createServer(
    connectNodeAdapter({
      routes: (router) =>
        router.service(Control, {
          async *listenBuildHistory({ ref, earlyExit }, { signal }) {
            if (refs.has(ref)) yield { record: { ref, completedAt: timestampFromMs(1) } };
            if (!earlyExit) await once(signal, "abort");
          },
          updateBuildHistory({ ref, delete: isDeleted }) {
            if (isDeleted) refs.delete(ref);
            return {};
          },
          async *prune({ filter }) {
            prunes.push(filter);
            yield { size: 0n };
          },
        }),
    }),
  );
  server.listen(socket);
  await once(server, "listening");
  return { prunes, close: () => void server.close() };
}
