/** Entries on the server. src/cache/tools/gocache/http.ts specifies the protocol. Nothing here throws: a failure is a miss. */
import { createHash } from "node:crypto";
import { createReadStream, readFileSync } from "node:fs";
import type { Draft } from "./draft.ts";
import { type FoundEntry, parseFindAnswer } from "./find-answer.ts";
import { createFindBatches } from "./find-batches.ts";
import { FINISH_MS, MAX_ENTRY_BYTES, MAX_FIND_BYTES, READ_AT_ONCE_BYTES } from "./limits.ts";
import { type Asked, openRequester, readAll, type Requester } from "./requester.ts";
import { createServerState, type ServerState } from "./server-state.ts";
import { createUploads, type Upload, type Uploads } from "./uploads.ts";

export interface RemoteStore {
  find: (action: string) => Promise<FoundEntry | undefined>;
  /** Writes the bytes of the found entry. @returns whether they are complete and undamaged */
  read: (action: string, found: FoundEntry, draft: Draft) => Promise<boolean>;
  /** Returns immediately. */
  upload: (upload: Upload) => void;
  /** Waits for the uploads, and closes the connections. */
  close: () => Promise<void>;
}

export interface RemoteOptions {
  origin: string;
  token: string;
  organization?: string | undefined;
  env: NodeJS.ProcessEnv;
  warn: (line: string) => void;
  /** For users who asked for more output. */
  note: (line: string) => void;
  finishMs?: number;
}

const PREFIX = "/cache/gocache";

export async function openRemoteStore(options: RemoteOptions): Promise<RemoteStore> {
  const { origin, token, organization, env, warn } = options;
  const headers = {
    authorization: `Bearer ${token}`,
    ...(organization ? { "millrace-org": organization } : {}),
  };
  const requester = await openRequester({ origin, headers, env });
  const state = createServerState({ origin, warn, onOff: requester.close });
  const findOne = createFindBatches((actions) => findMany(requester, state, actions));
  const uploads = createUploadQueue(requester, state, options);
  return {
    find: async (action) => (state.isOff() || state.restMs() > 0 ? undefined : findOne(action)),
    read: (action, found, draft) => readEntry({ requester, state, action, found, draft }),
    upload(upload) {
      if (!state.isOff() && upload.entry.size <= MAX_ENTRY_BYTES) uploads.add(upload);
    },
    async close() {
      const { finishMs = FINISH_MS } = options;
      const left = await uploads.finish(finishMs);
      if (left > 0) warn(`${left} uploads did not finish within ${finishMs / 1000} s and were abandoned`);
      requester.close();
      await state.settled();
    },
  };
}

async function findMany(
  requester: Requester,
  state: ServerState,
  actions: readonly string[],
): Promise<ReadonlyMap<string, FoundEntry>> {
  if (state.isOff()) return new Map();
  try {
    const answer = await requester.ask({
      method: "POST",
      path: `${PREFIX}/find`,
      headers: { "content-type": "application/json" },
      body: Buffer.from(JSON.stringify({ actions })),
      answerBytes: MAX_FIND_BYTES,
    });
    if (answer.status === 200) {
      const found = parseFindAnswer(await readAll(answer.body, MAX_FIND_BYTES));
      state.succeeded();
      return found;
    }
    await state.refused(answer);
  } catch (error) {
    state.failed(error);
  }
  return new Map();
}

interface Read {
  requester: Requester;
  state: ServerState;
  action: string;
  found: FoundEntry;
  draft: Draft;
}

async function readEntry({ requester, state, action, found, draft }: Read): Promise<boolean> {
  const { size, output, bytes: inline } = found;
  const hash = createHash("sha256");
  let left = size;
  const take = (bytes: Uint8Array): void => {
    left -= bytes.length;
    if (left < 0) throw new Error(`the server sent more than the ${size} bytes of an entry`);
    hash.update(bytes);
    draft.write(bytes);
  };
  try {
    if (inline) take(inline);
    else {
      const answer = await requester.ask({ method: "GET", path: `${PREFIX}/${action}`, answerBytes: size });
      if (answer.status === 404) {
        answer.body.resume();
        return false;
      }
      if (answer.status !== 200) {
        await state.refused(answer);
        return false;
      }
      // A stream without an encoding yields buffers.
      for await (const chunk of answer.body) take(chunk as Uint8Array);
    }
    // Go names an output by its hash: damage is detected here, not in a compiled program.
    if (left !== 0 || hash.digest("hex") !== output) throw new Error("the server sent a damaged entry");
    state.succeeded();
    return true;
  } catch (error) {
    state.failed(error);
    return false;
  }
}

function createUploadQueue(requester: Requester, state: ServerState, { note }: RemoteOptions): Uploads {
  /** The token may only read, such as a pull request's token. */
  let isReadOnly = false;

  async function send({ action, entry, path }: Upload): Promise<"over" | "again"> {
    try {
      const answer = await requester.ask({
        method: "PUT",
        path: `${PREFIX}/${action}`,
        headers: {
          "content-type": "application/octet-stream",
          "x-output-id": entry.output,
          "x-time": entry.time,
        },
        body: bodyOf(path, entry.size),
      });
      const { status } = answer;
      if (status < 300) state.succeeded();
      if (status === 403) {
        if (!isReadOnly) note("403, nothing is uploaded: this token can only read");
        isReadOnly = true;
      } else if (status === 413) note(`413, not uploaded: ${action.slice(0, 8)} with ${entry.size} bytes`);
      else if (status >= 300) {
        await state.refused(answer);
        return "again";
      }
      answer.body.resume();
    } catch (error) {
      // A missing file was removed with the unused entries.
      if (!(error instanceof Error && "code" in error && error.code === "ENOENT")) state.failed(error);
    }
    return "over";
  }

  return createUploads({ send, restMs: state.restMs, isOff: () => isReadOnly || state.isOff() });
}

function bodyOf(path: string, size: number): Asked["body"] {
  if (size <= READ_AT_ONCE_BYTES) return readFileSync(path);
  return { size, open: () => createReadStream(path) };
}
