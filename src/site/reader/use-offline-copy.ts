import { useEffect, useState } from "react";
import {
  askForCopy,
  keepOfflineCopy,
  type PackInfo,
  readOfflineCopy,
  removeOfflineCopy,
  sentenceOf,
  type StoredPack,
  whyNotOffline,
} from "#offline/index.ts";

export type OfflineState =
  | { name: "reading" }
  | { name: "impossible"; why: string }
  /** The disk fails: an existing copy can only be removed. */
  | { name: "unreadable"; why: string }
  /** There is no copy, and none was requested. */
  | { name: "off" }
  | { name: "asking" }
  /** The reader sees the size of the copy. */
  | { name: "offered"; info: PackInfo }
  | { name: "loading"; share: number }
  | { name: "removing" }
  | { name: "on"; stored: StoredPack };

/** The copy in this browser, and the reader's actions on it. */
export interface OfflineCopy {
  state: OfflineState;
  /** A sentence about the last success or failure. */
  said: string;
  /** Asks the server how large the copy is. */
  offer: () => void;
  decline: () => void;
  /** Gets the newest copy. */
  keep: () => void;
  remove: () => void;
}

export function useOfflineCopy(): OfflineCopy {
  const [state, setState] = useState<OfflineState>({ name: "reading" });
  const [said, setSaid] = useState("");
  useEffect(() => {
    void lookForCopy().then(setState);
  }, []);

  /** Shows the current state afterwards, whether or not the work succeeded. */
  const act = (busy: OfflineState, work: () => Promise<string>) => {
    setSaid("");
    setState(busy);
    void work()
      .catch(sentenceOf)
      .then(async (text) => {
        const now = await lookForCopy();
        setState(now);
        // Do not show the same sentence twice.
        setSaid("why" in now && now.why === text ? "" : text);
      });
  };
  return {
    state,
    said,
    offer() {
      setSaid("");
      setState({ name: "asking" });
      askForCopy().then(
        (info) => setState({ name: "offered", info }),
        (error: unknown) => {
          setSaid(sentenceOf(error));
          setState({ name: "off" });
        },
      );
    },
    decline: () => setState({ name: "off" }),
    keep: () =>
      act({ name: "loading", share: 0 }, async () => {
        const before = await readOfflineCopy();
        await keepOfflineCopy((share) => setState({ name: "loading", share }));
        const now = await readOfflineCopy();
        if (!before) return "Done. The documentation and its search now work without a network.";
        return before.info.version === now?.info.version ? "This is the newest copy." : "Updated.";
      }),
    remove: () =>
      act({ name: "removing" }, async () => {
        await removeOfflineCopy();
        return "The copy was removed from this browser.";
      }),
  };
}

/** Never throws. */
export async function lookForCopy(): Promise<OfflineState> {
  const why = whyNotOffline();
  if (why !== null) return { name: "impossible", why };
  try {
    const stored = await readOfflineCopy();
    return stored ? { name: "on", stored } : { name: "off" };
  } catch (error) {
    return { name: "unreadable", why: sentenceOf(error) };
  }
}
