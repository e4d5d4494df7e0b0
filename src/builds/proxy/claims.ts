/**
 * Owners of names at a builder. Builds of one project share a builder, which identifies builds by the `Ref` that their client
 * chose, and clients by the name of their session: with another build's name, a client could read its progress, files and secrets.
 * A name belongs to the first build that uses it.
 */
import { setTimeout as sleep } from "node:timers/promises";
import type { GrpcError } from "#platform/grpc/grpc-error.ts";
import { MAX_DIGESTS, MAX_SESSIONS, MAX_SOLVES, REF_WAIT_MS } from "./limits.ts";

/** Names of one build at one builder. */
export interface Claims {
  /** Whether the session belongs to the build; an unclaimed one does from now on. */
  session: (id: string) => boolean;
  /** Sessions end with the connections. */
  endSessions: () => void;
  /** False: the name is taken, even by the build itself, or the build has too many. */
  takeRef: (ref: string) => boolean;
  /** The solve was refused: requests for the ref immediately get the same error, because a client prints the first one. */
  refuseRef: (ref: string, error: GrpcError) => void;
  /** Requests about the ref are let through from now on. */
  startRef: (ref: string) => void;
  /** Whether the ref belongs to the build; waits briefly for its start. @throws GrpcError that it was refused with */
  ownsRef: (ref: string) => Promise<boolean>;
  /** As `ownsRef`, without waiting. */
  hasRef: (ref: string) => boolean;
  /** Allows a digest of the build's own record. */
  allowDigest: (digest: string) => void;
  mayRead: (digest: string) => boolean;
  readonly hasSolved: boolean;
  /** The build has ended: its names are free. */
  end: () => void;
}

export interface BuilderNames {
  /** @param socket of the builder */
  of: (socket: string, buildId: string) => Claims;
  /** The build's last client has disconnected, perhaps because the build has ended. */
  endSessions: (socket: string, buildId: string) => void;
  /** The build has ended: its names are free. */
  end: (buildId: string) => void;
}

interface Taken {
  sessions: Map<string, string>;
  refs: Map<string, { owner: string; isStarted: boolean }>;
}

export function createNames(waitMs = REF_WAIT_MS): BuilderNames {
  const taken: Taken = { sessions: new Map(), refs: new Map() };
  const all = new Map<string, Map<string, Claims>>();
  return {
    of(socket, buildId) {
      const places = all.get(buildId) ?? new Map<string, Claims>();
      const claims = places.get(socket) ?? makeClaims(taken, socket, { buildId, waitMs });
      all.set(buildId, places.set(socket, claims));
      return claims;
    },
    endSessions: (socket, buildId) => all.get(buildId)?.get(socket)?.endSessions(),
    end(buildId) {
      for (const claims of all.get(buildId)?.values() ?? []) claims.end();
      all.delete(buildId);
    },
  };
}

function makeClaims(
  { sessions, refs }: Taken,
  socket: string,
  { buildId, waitMs }: { buildId: string; waitMs: number },
): Claims {
  const owner = `${socket} ${buildId}`;
  const at = (name: string) => `${socket} ${name}`;
  const digests = new Set<string>();
  const refused = new Map<string, GrpcError>();
  const waiting = createWaiting(waitMs);
  const counts = { solves: 0, sessions: 0 };
  const isOwn = (ref: string) => refs.get(at(ref))?.owner === owner;
  const hasRef = (ref: string) => isOwn(ref) && refs.get(at(ref))?.isStarted === true;
  const endSessions = () => {
    for (const [id, of] of sessions) if (of === owner) sessions.delete(id);
    counts.sessions = 0;
  };
  return {
    session(id) {
      const of = sessions.get(at(id));
      if (of !== undefined || counts.sessions >= MAX_SESSIONS) return of === owner;
      counts.sessions += 1;
      sessions.set(at(id), owner);
      return true;
    },
    endSessions,
    takeRef(ref) {
      if (refs.has(at(ref)) || counts.solves >= MAX_SOLVES) return false;
      counts.solves += 1;
      refs.set(at(ref), { owner, isStarted: false });
      return true;
    },
    refuseRef(ref, error) {
      if (isOwn(ref) && !hasRef(ref)) refs.delete(at(ref));
      if (refused.size < MAX_SOLVES) refused.set(ref, error);
      waiting.tell(ref);
    },
    startRef(ref) {
      refs.set(at(ref), { owner, isStarted: true });
      waiting.tell(ref);
    },
    async ownsRef(ref) {
      if (!hasRef(ref) && !refused.has(ref)) await waiting.for(ref);
      const refusal = hasRef(ref) ? undefined : refused.get(ref);
      if (refusal) throw refusal;
      return hasRef(ref);
    },
    hasRef,
    allowDigest: (digest) => void (digests.size < MAX_DIGESTS && digests.add(digest)),
    mayRead: (digest) => digests.has(digest),
    get hasSolved() {
      return counts.solves > 0;
    },
    end() {
      endSessions();
      for (const [ref, of] of refs) if (of.owner === owner) refs.delete(ref);
      waiting.tellAll();
    },
  };
}

/** Requests that arrived before their subject. */
function createWaiting(waitMs: number) {
  const all = new Map<string, Set<() => void>>();
  const tell = (ref: string) => {
    for (const resolve of all.get(ref) ?? []) resolve();
    all.delete(ref);
  };
  return {
    tell,
    tellAll: () => [...all.keys()].forEach(tell),
    /** Resolves when the ref is announced, or after the timeout. */
    async for(ref: string): Promise<void> {
      const { promise, resolve } = Promise.withResolvers<void>();
      const known = all.get(ref) ?? new Set();
      all.set(ref, known.add(resolve));
      const over = new AbortController();
      const late = sleep(waitMs, undefined, { signal: over.signal, ref: false }).catch(() => undefined);
      await Promise.race([promise, late]);
      over.abort();
      known.delete(resolve);
      if (known.size === 0 && all.get(ref) === known) all.delete(ref);
    },
  };
}
