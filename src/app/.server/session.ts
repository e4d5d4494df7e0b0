/**
 * The operator's sessions. They live here and nowhere else: the cookie is a random name for one, and signing out, twelve
 * hours or a restart end it, whoever kept the cookie.
 */
import { hash, randomBytes, timingSafeEqual } from "node:crypto";

const SESSION_MS = 12 * 3_600_000;
const LINK_MS = 3_600_000;
/** Operators and their browsers; the oldest session makes room. */
const MAX_SESSIONS = 100;
/** Of a session's name and of a link's code. They cannot be guessed. */
const SECRET_BYTES = 32;

export interface Sessions {
  /** Whether it is the console's token; always false when there is no token. */
  isToken: (token: string) => boolean;
  /** @returns the cookie's value and its age in seconds. */
  begin: () => { value: string; maxAge: number };
  isValid: (cookie: string | undefined) => boolean;
  end: (cookie: string | undefined) => void;
  endAll: () => void;
  /** A code that signs in once, within an hour. It replaces the previous one. */
  makeCode: () => string;
  /** Whether it is that code. Using it ends it. */
  takeCode: (code: string) => boolean;
}

/** @param token null: nobody can sign in */
export function createSessions(token: string | null, clock: () => number): Sessions {
  const tokenDigest = token === null ? null : digest(token);
  /** When each session ends, by the digest of its name, oldest first. The digest itself is not secret. */
  const sessions = new Map<string, number>();
  let link: { digest: string; until: number } | null = null;

  return {
    isToken: (candidate) => tokenDigest !== null && isEqual(digest(candidate), tokenDigest),
    begin() {
      for (const [name, until] of sessions) if (until <= clock()) sessions.delete(name);
      if (sessions.size >= MAX_SESSIONS) sessions.delete(sessions.keys().next().value!);
      const value = randomBytes(SECRET_BYTES).toString("base64url");
      sessions.set(digest(value), clock() + SESSION_MS);
      return { value, maxAge: SESSION_MS / 1000 };
    },
    isValid: (cookie) => cookie !== undefined && (sessions.get(digest(cookie)) ?? 0) > clock(),
    end: (cookie) => void (cookie !== undefined && sessions.delete(digest(cookie))),
    endAll: () => sessions.clear(),
    makeCode() {
      const code = randomBytes(SECRET_BYTES).toString("base64url");
      link = { digest: digest(code), until: clock() + LINK_MS };
      return code;
    },
    takeCode(code) {
      if (!link || link.until <= clock() || !isEqual(digest(code), link.digest)) return false;
      link = null;
      return true;
    },
  };
}

/** Digests have one length: comparing them takes the same time wherever two texts differ, and however long they are. */
function digest(text: string): string {
  return hash("sha256", text, "base64url");
}

function isEqual(one: string, other: string): boolean {
  return timingSafeEqual(Buffer.from(one), Buffer.from(other));
}
