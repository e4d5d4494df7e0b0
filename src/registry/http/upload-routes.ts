/** `/blobs/uploads/`: incoming blobs, in one request or in several. */
import { sendEmpty } from "#platform/http/node/answer.ts";
import { hasBody } from "#platform/http/connections/connection.ts";
import { takeUpload } from "#platform/http/node/take-body.ts";
import type { Chunk, UploadState } from "../contract/registry.ts";
import { RegistryError } from "../contract/registry-error.ts";
import { requireAlgorithm } from "../uploads/receive.ts";
import { rangeOf } from "../uploads/rows.ts";
import type { RegistryCall, RegistryRoute } from "./call.ts";
import { sendPutBlob } from "./blob-routes.ts";

const ID = "upl_0123456789abcdef0123456789abcdef";

export const uploadRoutes: readonly RegistryRoute[] = [
  {
    path: /^\/blobs\/uploads\/?$/,
    example: "/blobs/uploads/",
    methods: { POST: { right: "push", answer: begin } },
  },
  {
    path: /^\/blobs\/uploads\/([^/]+)$/,
    example: `/blobs/uploads/${ID}`,
    methods: {
      GET: { right: "push", answer: tell },
      PATCH: { right: "push", answer: append },
      PUT: { right: "push", answer: finish },
      DELETE: { right: "push", answer: cancel },
    },
  },
];

/** All in one request, mounted from another repository, or the first of several requests. */
async function begin(call: RegistryCall): Promise<void> {
  const { registry, caller, grant, query } = call;
  const digest = query.get("digest");
  if (digest !== null) {
    await registry.uploads.put(grant, { digest, chunk: readChunk(call) });
    return sendPutBlob(call, digest);
  }
  const mounted = query.get("mount");
  if (mounted !== null) {
    requireAlgorithm(mounted);
    const from = query.get("from") ?? undefined;
    const isMounted = await registry.repositoryBlobs.mount(caller, grant, { digest: mounted, from });
    if (isMounted) return sendPutBlob(call, mounted);
  }
  sendState(call, 202, await registry.uploads.begin(grant));
}

async function tell(call: RegistryCall, id = ""): Promise<void> {
  sendState(call, 204, await call.registry.uploads.find(call.grant, id));
}

async function append(call: RegistryCall, id = ""): Promise<void> {
  const { registry, grant } = call;
  sendState(call, 202, await registry.uploads.append(grant, id, readChunk(call)).catch(sayWhere(call, id)));
}

async function finish(call: RegistryCall, id = ""): Promise<void> {
  const { registry, grant, request, query } = call;
  const digest = query.get("digest") ?? "";
  const chunk = hasBody(request) ? readChunk(call) : undefined;
  await registry.uploads.finish(grant, id, { digest, chunk }).catch(sayWhere(call, id));
  sendPutBlob(call, digest);
}

async function cancel(call: RegistryCall, id = ""): Promise<void> {
  await call.registry.uploads.cancel(call.grant, id);
  sendEmpty(call, 204);
}

const locationOf = ({ base }: RegistryCall, id: string) => `${base}/blobs/uploads/${id}`;

/** Tells the client where to send a chunk again that does not begin where the last one ended. */
const sayWhere =
  (call: RegistryCall, id: string) =>
  (error: unknown): never => {
    if (!(error instanceof RegistryError) || error.status !== 416) throw error;
    const { code, message, status } = error;
    const headers = { ...error.headers, location: locationOf(call, id) };
    throw new RegistryError(code, message, { status, headers, cause: error });
  };

function sendState(call: RegistryCall, status: number, { id, receivedBytes }: UploadState): void {
  sendEmpty(call, status, {
    location: locationOf(call, id),
    range: rangeOf(receivedBytes),
    "docker-upload-uuid": id,
  });
}

/** The form of the specification, and the usual form of ranges. */
const CONTENT_RANGE = /^(?:bytes[ =])?(\d{1,15})-(\d{1,15})(?:\/(?:\d{1,15}|\*))?$/;

/** The body of the request. @throws RegistryError when its headers contradict each other or the body */
function readChunk(call: RegistryCall): Chunk {
  const { headers } = call.request;
  const length = headers["content-length"] === undefined ? undefined : Number(headers["content-length"]);
  const header = headers["content-range"];
  const [, first, last] = (header !== undefined && CONTENT_RANGE.exec(header)) || [];
  if (header !== undefined && (first === undefined || Number(last) < Number(first)))
    throw new RegistryError(
      "BLOB_UPLOAD_INVALID",
      "Content-Range must be <start>-<end>, the first and the last byte of this chunk",
    );
  const start = first === undefined ? undefined : Number(first);
  const size = start === undefined ? length : Number(last) - start + 1;
  if (length !== undefined && length !== size) throw wrongSize(size, length);
  return {
    start,
    size,
    async read(take) {
      const before = call.receivedBytes;
      await takeUpload(call, call.admitUpload(), async (pieces) => {
        for (const { length } of pieces) call.receivedBytes += length;
        if (size !== undefined && call.receivedBytes - before > size)
          throw wrongSize(size, call.receivedBytes - before);
        await take(pieces);
      });
      if (size !== undefined && call.receivedBytes - before !== size)
        throw wrongSize(size, call.receivedBytes - before);
    },
  };
}

const wrongSize = (said: number | undefined, bytes: number) =>
  new RegistryError(
    "SIZE_INVALID",
    `Content-Range says that the chunk has ${said} bytes, but it has ${bytes}; send as many as it says`,
  );
