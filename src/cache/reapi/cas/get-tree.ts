/** GetTree: a directory and all below it, in pages. */
import { create, toBinary } from "@bufbuild/protobuf";
import type { RawMethod } from "#platform/grpc/raw-methods.ts";
import { parseMessage } from "#platform/grpc/raw-methods.ts";
import type { Cache } from "../../contract/cache.ts";
import { type Caller, grantCaller } from "../calls/caller.ts";
import { requireDigest } from "../../messages/digests.ts";
import { invalid, notFound } from "../calls/errors.ts";
import {
  type Directory,
  DirectorySchema,
  GetTreeRequestSchema,
  GetTreeResponseSchema,
} from "../../messages/gen/reapi/remote_execution_pb.ts";
import { DIRECTORIES_PER_PAGE, MAX_DIRECTORIES, PAGE_BYTES } from "../calls/limits.ts";
import { walkDirectories } from "../directories/walk-directories.ts";

/** Missing directories are left out, except the root. A page's token is the number of directories before it. */
export function getTree(cache: Cache): RawMethod<Caller> {
  return async (call, caller) => {
    const request = parseMessage(GetTreeRequestSchema, await call.readOnly());
    // A page that waits for its reader, and a directory that is the first one of the next page.
    await call.hold("answers", 2 * PAGE_BYTES);
    const grant = await grantCaller(cache, caller, request, "read");
    const root = requireDigest(request.rootDigest);
    const start = readPageToken(request.pageToken);
    const pageSize = Math.min(Math.max(request.pageSize, 0) || DIRECTORIES_PER_PAGE, DIRECTORIES_PER_PAGE);
    const page = (directories: Directory[], nextPageToken: string) =>
      toBinary(GetTreeResponseSchema, create(GetTreeResponseSchema, { directories, nextPageToken }));
    let position = 0;
    let directories: Directory[] = [];
    let bytes = 0;
    for await (const directory of walkDirectories(cache, grant, root)) {
      if (!directory && position === 0) throw notFound(`directory ${root.hash}`);
      position += 1;
      if (!directory || position <= start) continue;
      const size = toBinary(DirectorySchema, directory).length;
      // A page of large directories has fewer of them: clients accept no message of more than 4 MB.
      if (directories.length === pageSize || (bytes > 0 && bytes + size > PAGE_BYTES)) {
        await call.send(page(directories, String(position - 1)));
        directories = [];
        bytes = 0;
      }
      directories.push(directory);
      bytes += size;
    }
    call.finish(page(directories, ""));
  };
}

function readPageToken(token: string): number {
  const start = token === "" ? 0 : Number(token);
  if (!/^\d{0,6}$/.test(token) || start > MAX_DIRECTORIES)
    throw invalid(`${JSON.stringify(token.slice(0, 50))} is not a page_token of this method`);
  return start;
}
