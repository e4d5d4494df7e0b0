/**
 * This process's memory of tokens and browsers, by hash, for a few seconds.
 *
 * `forget` is called after a change is committed. A look-up that began before it may have read the old state, so its answer
 * is neither kept nor shared with later callers.
 */
import type { Identity, IdentityCache } from "../contract/identities.ts";
import { IDENTITY_AGE_MS, MAX_REMEMBERED_IDENTITIES } from "../contract/limits.ts";

export function createIdentityCache(clock: () => number): IdentityCache {
  const known = new Map<string, { identity: Identity; readAt: number }>();
  const asked = new Map<string, Promise<Identity>>();
  let generation = 0;

  async function load(hash: string, ask: () => Promise<Identity>): Promise<Identity> {
    const begun = { at: clock(), generation };
    const identity = await ask();
    if (begun.generation !== generation) return identity;
    known.delete(hash);
    known.set(hash, { identity, readAt: begun.at });
    const [oldest] = known.keys();
    if (known.size > MAX_REMEMBERED_IDENTITIES && oldest !== undefined) known.delete(oldest);
    return identity;
  }

  return {
    find(hash, ask) {
      const entry = known.get(hash);
      if (entry && Math.abs(clock() - entry.readAt) < IDENTITY_AGE_MS) return entry.identity;
      const waiting = asked.get(hash);
      if (waiting) return waiting;
      const loading = load(hash, ask).finally(() => {
        if (asked.get(hash) === loading) asked.delete(hash);
      });
      asked.set(hash, loading);
      return loading;
    },
    forget(ids) {
      generation += 1;
      asked.clear();
      for (const [hash, { identity }] of known)
        if (identity.dependsOn.some((id) => ids.has(id))) known.delete(hash);
    },
  };
}
