/** A reader's browser has sent its last queued events within this time. */
const FORGOTTEN_MS = 60_000;

/** Readers who have just erased everything: events that their browser still had to send must not bring them back. */
export interface ForgottenReaders {
  add: (ids: readonly string[]) => void;
  has: (row: { distinctId: string }) => boolean;
}

export function createForgottenReaders(clock: () => number): ForgottenReaders {
  /** Identifier → the time until which its rows are left out. */
  const untils = new Map<string, number>();
  return {
    add(ids) {
      for (const [id, until] of untils) if (until < clock()) untils.delete(id);
      for (const id of ids) untils.set(id, clock() + FORGOTTEN_MS);
    },
    has({ distinctId }) {
      const until = untils.get(distinctId);
      if (until === undefined) return false;
      if (until < clock()) untils.delete(distinctId);
      return until >= clock();
    },
  };
}
