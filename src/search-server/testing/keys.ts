import { createHmac } from "node:crypto";
import { createSearchRoutes } from "../routes.ts";
import { openContentService } from "../changes/content-service.ts";
import { wireStore } from "./documents.ts";
import { type ApiKey, createKeyStore, type KeyStore, type NewKey } from "../keys/key-store.ts";

export const MASTER_KEY = "the-master-key-of-the-tests";
export const START = Date.parse("2026-11-22T10:00:00Z");

/** `docs` is public, `blog` needs a key; the test moves the clock. */
export async function startKeyedApp() {
  const state = { now: START };
  const store = wireStore();
  const keys = createKeyStore({ masterKey: MASTER_KEY, clock: () => state.now });
  const content = await openContentService({ store, dataDir: null });
  const app = createSearchRoutes({ store, content, keys, publicIndexes: ["docs"] }).admin;
  /** A request as the site's server passes it on. */
  const ask = (
    method: string,
    path: string,
    options: { key?: string | null; body?: unknown; from?: string } = {},
  ) => {
    const { key, body, from = "203.0.113.1" } = options;
    return app.request(
      path,
      {
        method,
        headers: {
          ...(key != null && { authorization: `Bearer ${key}` }),
          ...(body !== undefined && { "content-type": "application/json" }),
        },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      },
      { incoming: { socket: { remoteAddress: from } } },
    );
  };
  return { app, ask, keys, store, content, state };
}

export function makeKey(keys: KeyStore, rights: Partial<NewKey>): Promise<ApiKey> {
  return keys.create({
    name: null,
    description: null,
    actions: ["search"],
    indexes: ["*"],
    expiresAt: null,
    ...rights,
  });
}

/** Any token, valid or not. */
export function makeToken(secret: string, claims: unknown, header: object = { alg: "HS256", typ: "JWT" }) {
  const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString("base64url");
  const signed = `${part(header)}.${part(claims)}`;
  const { alg } = header as { alg?: string };
  const digest = alg === "HS512" ? "sha512" : alg === "HS384" ? "sha384" : "sha256";
  return `${signed}.${createHmac(digest, secret).update(signed).digest("base64url")}`;
}
