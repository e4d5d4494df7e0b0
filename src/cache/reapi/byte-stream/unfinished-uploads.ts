/**
 * Uploads whose connection broke, for as long as their client may come back for them. They belong to this process: after a
 * restart, or at another replica, the client begins again.
 */
import type { Upload } from "#platform/blobs/upload.ts";
import { MAX_UNFINISHED, MAX_UNFINISHED_PER_TOKEN, UNFINISHED_MS } from "../calls/limits.ts";

export interface UnfinishedUpload {
  upload: Upload;
  /** Its decoder takes memory while it waits. */
  isCompressed: boolean;
  /** The token that uploads. */
  token: string;
  /** The call that writes to it; null while it waits. A later call takes it over. */
  owner: object | null;
  /** The write in progress. */
  writing: Promise<void>;
  /** When its last call ended. */
  since: number;
}

export interface UnfinishedUploads {
  find: (key: string) => UnfinishedUpload | undefined;
  add: (key: string, upload: UnfinishedUpload) => void;
  /** Keeps it for its client, which may come back. */
  park: (key: string) => Promise<void>;
  /** It is complete, or begins again. The upload itself is left alone. */
  remove: (key: string) => void;
  /** Gives up compressed uploads that wait, because another upload needs the memory now: their clients begin again. */
  giveUpCompressed: () => Promise<void>;
  /** Gives up uploads that no client came back for. */
  sweep: () => Promise<void>;
  readonly size: number;
  close: () => Promise<void>;
}

const SWEEP_EVERY_MS = 30_000;

export function createUnfinishedUploads(clock: () => number): UnfinishedUploads {
  /** In the order in which they were begun or parked. */
  const uploads = new Map<string, UnfinishedUpload>();

  async function give(key: string, { upload }: UnfinishedUpload): Promise<void> {
    uploads.delete(key);
    await upload.abort();
  }

  async function makeRoom(token: string): Promise<void> {
    const waiting = [...uploads].filter(([, { owner }]) => owner === null);
    const own = waiting.filter(([, upload]) => upload.token === token);
    const [oldest] = waiting;
    const [oldestOwn] = own;
    if (oldestOwn && own.length > MAX_UNFINISHED_PER_TOKEN) await give(...oldestOwn);
    else if (oldest && waiting.length > MAX_UNFINISHED) await give(...oldest);
  }

  async function giveUp(isMeant: (upload: UnfinishedUpload) => boolean): Promise<void> {
    for (const [key, upload] of uploads)
      if (upload.owner === null && isMeant(upload)) await give(key, upload);
  }

  const sweep = () => giveUp(({ since }) => clock() - since >= UNFINISHED_MS);

  const sweeping = setInterval(() => void sweep(), SWEEP_EVERY_MS).unref();
  return {
    find: (key) => uploads.get(key),
    add: (key, upload) => void uploads.set(key, upload),
    async park(key) {
      const upload = uploads.get(key);
      if (!upload) return;
      uploads.delete(key);
      uploads.set(key, upload);
      upload.owner = null;
      upload.since = clock();
      await makeRoom(upload.token);
    },
    remove: (key) => void uploads.delete(key),
    giveUpCompressed: () => giveUp(({ isCompressed }) => isCompressed),
    sweep,
    get size() {
      return uploads.size;
    },
    async close() {
      clearInterval(sweeping);
      await Promise.all([...uploads].map(([key, upload]) => give(key, upload)));
    },
  };
}
