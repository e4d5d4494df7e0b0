/**
 * The memory of organizations that build on one machine. An organization that builds alone may use the memory of all builders.
 * Version 1 of control groups does not lower a limit below the memory in use, so that is retried.
 */
import { writeFile } from "node:fs/promises";
import { CROWDED_MEMORY, SHARE_AGAIN_MS } from "./limits.ts";

export interface Share {
  organizationId: string;
  /** The file with its limit. */
  file: string;
}

export interface Shares {
  /** @param atWork ids of organizations */
  share: (atWork: ReadonlySet<string>) => Promise<void>;
  close: () => void;
}

export interface SharesOptions {
  /** Organizations that have builders, at work or warm. */
  find: () => readonly Share[];
  /** Bytes for all builders. */
  most: number;
  /** For tests. */
  write?: (file: string, text: string) => Promise<void>;
}

export function createShares({ find, most, write = writeFile }: SharesOptions): Shares {
  let latest: ReadonlySet<string> = new Set();
  let timer: NodeJS.Timeout | undefined;
  let isClosed = false;
  const bytesOf = (organizationId: string) => {
    const isAlone = [...latest].every((each) => each === organizationId);
    return Math.floor(isAlone ? most : most * CROWDED_MEMORY);
  };
  const shareAll = async () => {
    let isBusy = false;
    for (const { organizationId, file } of find())
      await write(file, String(bytesOf(organizationId))).catch((error: unknown) => {
        const code = error instanceof Error && "code" in error ? error.code : "";
        if (code === "EBUSY") isBusy = true;
        // Its group may just be created or removed.
        else if (code !== "ENOENT" && code !== "ENODEV") throw error;
      });
    clearTimeout(timer);
    if (isBusy && !isClosed) timer = setTimeout(() => void share().catch(() => {}), SHARE_AGAIN_MS).unref();
  };
  let sharing = Promise.resolve();
  let next: Promise<void> | null = null;
  /** One run at a time: of two, the older limit might be written last. Callers during a run share the next one. */
  const share = () =>
    (next ??= sharing =
      sharing
        .catch(() => {})
        .then(() => {
          next = null;
          return shareAll();
        }));
  return {
    share(atWork) {
      latest = atWork;
      return share();
    },
    close() {
      isClosed = true;
      clearTimeout(timer);
    },
  };
}
