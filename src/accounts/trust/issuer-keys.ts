/**
 * The public keys of issuers, as they publish them (OpenID Connect Discovery 1.0, RFC 7517).
 *
 *   issuer ─► /.well-known/openid-configuration ─► jwks_uri ─► keys, kept for ten minutes
 *
 * A token with an unknown key makes the server ask again immediately, because issuers rotate their keys, but at most every 30
 * s, because anyone can write a token with an unknown key. While an issuer is unreachable, tokens that its known keys signed stay
 * valid.
 *
 * A caller who names an issuer must not learn which hosts this server can reach: every failure to read its JSON gets the same
 * message after the same time, and details only in the log.
 */
import { createLocalJWKSet, type JSONWebKeySet, type LocalJWKSet, errors } from "jose";
import type { FlattenedJWSInput, JWSHeaderParameters } from "jose";
import type { Log } from "#platform/log/log.ts";
import * as z from "zod";
import { FetchError, fetchJson, type FetchRules } from "./fetch-json.ts";

const FRESH_MS = 10 * 60_000;
/** Keys of an issuer that no longer responds. */
const STALE_MS = 24 * 3_600_000;
const UNKNOWN_KEY_PAUSE_MS = 30_000;
const FAILURE_PAUSE_MS = 5_000;
const MAX_ISSUERS = 500;
const MAX_FETCHES = 64;
const MAX_KEYS = 100;
/** Google's answer has 3 KB, GitHub's 5 KB. */
const MAX_ANSWER_BYTES = 256 * 1024;
/** For both documents, including redirects. */
const TIMEOUT_MS = 5_000;
const MAX_FIELD = 2000;

const discoverySchema = z.object({ issuer: z.string().max(MAX_FIELD), jwks_uri: z.string().max(MAX_FIELD) });
const keysSchema = z.object({
  keys: z.array(z.looseObject({ kty: z.string(), kid: z.string().max(MAX_FIELD).optional() })).max(MAX_KEYS),
});
/** Never `oct`: a published secret is not a secret. */
const PUBLIC_KINDS: ReadonlySet<string> = new Set(["RSA", "EC", "OKP"]);

/** Why an issuer's keys are unknown. The message is for people who trust the issuer, and completes "… cannot be read: ". */
export class IssuerError extends Error {
  override readonly name = "IssuerError";
}

export interface IssuerKeys {
  /**
   * The key that a token names, for `jose`.
   * @throws IssuerError, errors.JWKSNoMatchingKey, errors.JWKSMultipleMatchingKeys
   */
  find: (issuer: string, header: JWSHeaderParameters, token: FlattenedJWSInput) => Promise<CryptoKey>;
}

export interface IssuerKeysOptions {
  privateHosts: readonly string[];
  clock: () => number;
  log: Pick<Log, "warn">;
  resolve?: FetchRules["resolve"];
  timeoutMs?: number;
}

interface Issuer {
  keys: LocalJWKSet | null;
  fetchedAt: number;
  triedAt: number;
  problem: IssuerError | null;
  fetching: Promise<void> | null;
}

export function createIssuerKeys(options: IssuerKeysOptions): IssuerKeys {
  const { clock, log, privateHosts, resolve, timeoutMs = TIMEOUT_MS } = options;
  /** The least recently used first. */
  const issuers = new Map<string, Issuer>();
  let fetches = 0;

  async function fetchInto(issuer: Issuer, name: string): Promise<void> {
    fetches += 1;
    issuer.triedAt = clock();
    const deadline = AbortSignal.timeout(timeoutMs);
    const isOver = new Promise((resolved) => deadline.addEventListener("abort", resolved));
    try {
      issuer.keys = await fetchKeys(name, { privateHosts, maxBytes: MAX_ANSWER_BYTES, deadline, resolve });
      issuer.fetchedAt = clock();
      issuer.problem = null;
    } catch (error) {
      issuer.problem = problemOf(error);
      log.warn("Could not read an issuer's keys.", { issuer: name, error });
    } finally {
      fetches -= 1;
    }
    if (issuer.problem?.cause) await isOver;
    issuer.fetching = null;
  }

  /** Asks the issuer, unless it was asked within the pause; callers in the meantime wait for the same answer. */
  async function refresh(issuer: Issuer, name: string, pauseMs: number): Promise<void> {
    if (!issuer.fetching) {
      if (Math.abs(clock() - issuer.triedAt) < pauseMs) return;
      if (fetches >= MAX_FETCHES)
        throw new IssuerError("this server is reading the keys of too many issuers right now; try again");
      issuer.fetching = fetchInto(issuer, name);
    }
    await issuer.fetching;
  }

  async function find(name: string, header: JWSHeaderParameters, token: FlattenedJWSInput) {
    const issuer = openIssuer(issuers, name);
    if (Math.abs(clock() - issuer.fetchedAt) >= FRESH_MS) await refresh(issuer, name, FAILURE_PAUSE_MS);
    if (!issuer.keys || Math.abs(clock() - issuer.fetchedAt) >= STALE_MS)
      throw issuer.problem ?? new IssuerError("it has no keys");
    try {
      return await issuer.keys(header, token);
    } catch (error) {
      if (!(error instanceof errors.JWKSNoMatchingKey)) throw error;
      await refresh(issuer, name, UNKNOWN_KEY_PAUSE_MS);
      return issuer.keys(header, token);
    }
  }

  return { find };
}

function openIssuer(issuers: Map<string, Issuer>, name: string): Issuer {
  const issuer = issuers.get(name) ?? {
    keys: null,
    fetchedAt: Number.NEGATIVE_INFINITY,
    triedAt: Number.NEGATIVE_INFINITY,
    problem: null,
    fetching: null,
  };
  issuers.delete(name);
  issuers.set(name, issuer);
  for (const oldest of issuers.keys()) {
    if (issuers.size <= MAX_ISSUERS) break;
    issuers.delete(oldest);
  }
  return issuer;
}

/** @throws errors that are not the issuer's problem */
function problemOf(error: unknown): IssuerError {
  if (error instanceof IssuerError) return error;
  if (!(error instanceof FetchError)) throw error;
  return new IssuerError("this server cannot get JSON from it; the server's log says why", { cause: error });
}

/** @throws FetchError, IssuerError */
async function fetchKeys(issuer: string, rules: FetchRules): Promise<LocalJWKSet> {
  const address = `${issuer.replace(/\/$/, "")}/.well-known/openid-configuration`;
  const discovery = discoverySchema.safeParse(await fetchJson(address, rules));
  if (!discovery.success)
    throw new IssuerError("its openid-configuration does not have both `issuer` and `jwks_uri`");
  if (discovery.data.issuer !== issuer)
    throw new IssuerError("its openid-configuration names a different issuer");
  const published = keysSchema.safeParse(await fetchJson(discovery.data.jwks_uri, rules));
  if (!published.success) throw new IssuerError("its keys are not a JSON Web Key Set");
  const keys = published.data.keys.filter(({ kty }) => PUBLIC_KINDS.has(kty));
  // Checked as far as `jose` does not check it itself.
  return createLocalJWKSet({ keys } as JSONWebKeySet);
}
