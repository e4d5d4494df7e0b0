/** What this process remembers of tokens and browsers, and notes of their uses. */
import type { Actor } from "./actor.ts";

/** A token or a browser that was found. */
export interface Identity {
  actor: Actor;
  /** Milliseconds since 1970. Changes with every use. */
  lastUsedAt: number;
  /** The objects that it was made from: a change of one of them makes it obsolete. */
  dependsOn: readonly string[];
}

export interface IdentityCache {
  /** @param load asks the database; its errors are not remembered */
  find: (hash: string, load: () => Promise<Identity>) => Identity | Promise<Identity>;
  /** @param ids of tokens, browsers, people, organizations or projects that were changed */
  forget: (ids: ReadonlySet<string>) => void;
}

export interface UseBuffer {
  /**
   * @param ids the token's or the browser's, and its person's
   * @param address the client's
   */
  touch: (
    ids: { tokenId?: string | null; signInId?: string | null; userId?: string | null },
    address: string | null,
  ) => void;
  countCall: (organizationId: string) => void;
  /** A CI job was given a token, or was refused one. */
  countJob: (job: { organizationId: string; projectId: string; isRefused: boolean }) => void;
  /** Writes pending uses and counts; counts that could not be written are kept. */
  flush: () => Promise<void>;
}
