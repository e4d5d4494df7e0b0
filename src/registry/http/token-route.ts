/**
 * `/v2/token`: a client shows its token as a password and gets a token for the repositories that it names.
 *
 *   GET  ?service=…&scope=repository:acme/web:pull,push   with Basic or Bearer
 *   POST grant_type=password&username=…&password=…        the OAuth 2 form, which containerd and BuildKit prefer
 *
 * A scope that the caller may not have is left out: the request that needs it is refused, and says why.
 * https://distribution.github.io/distribution/spec/auth/token/
 */
import { Refused } from "#accounts/index.ts";
import { isGone, sendText } from "#platform/http/node/answer.ts";
import { readWhole } from "#platform/http/node/read-whole.ts";
import { MAX_SCOPES, MAX_SCOPES_LENGTH, TOKEN_SECONDS } from "../contract/limits.ts";
import type { RegistryCaller, Right, Scope } from "../contract/registry.ts";
import { RegistryError } from "../contract/registry-error.ts";
import type { RegistryCall } from "./call.ts";
import type { Identify } from "./identify-caller.ts";
import { isScopedToken, type ScopedTokens } from "./token.ts";

const MAX_FORM_BYTES = 16 * 1024;
const SCOPE = /^repository(?:\([a-z]+\))?:([^:]+(?::[0-9]{1,5}\/[^:]+)?):([a-z*,]*)$/;

interface TokenTools {
  tokens: ScopedTokens;
  identify: Identify;
  address: string | null;
  query: URLSearchParams;
}

type TokenCall = Omit<RegistryCall, "grant" | "caller" | "base" | "query">;

export async function answerToken(
  call: TokenCall,
  { tokens, identify, address, query }: TokenTools,
): Promise<void> {
  const { request } = call;
  const { method = "" } = request;
  if (method !== "GET" && method !== "POST")
    throw new RegistryError("UNSUPPORTED", `this address accepts GET, POST, not ${method.slice(0, 20)}`, {
      headers: { allow: "GET, POST" },
    });
  const form = method === "POST" ? await readForm(call) : null;
  // Never from the address, which proxies log.
  const authorization = (form && authorizationOf(form)) ?? request.headers.authorization ?? "";
  const shown = shownIn(authorization);
  // A token of `/v2/token` would prolong itself.
  const names = readScopes([...(form?.getAll("scope") ?? []), ...query.getAll("scope")]);
  const asked = isScopedToken(shown) ? "" : authorization;
  const scopes: Scope[] = [];
  const hasLeft = () => isGone(call.response);
  // Checks the token itself, even if the client names no repository.
  await identify({ authorization: asked }, { address, name: "", isTold: true, isGone: hasLeft });
  for (const scope of names) {
    const rights = await rightsOf(call, scope, () =>
      identify({ authorization: asked }, { address, name: scope.name, isGone: hasLeft }),
    );
    if (rights.length > 0) scopes.push({ name: scope.name, rights });
  }
  const token = tokens.seal({ shown, scopes });
  const body = {
    token,
    access_token: token,
    token_type: "Bearer",
    expires_in: TOKEN_SECONDS,
    issued_at: new Date(call.registry.accounts.clock()).toISOString(),
    scope: scopes.map(({ name, rights }) => `repository:${name}:${rights.join(",")}`).join(" "),
  };
  sendText(call, JSON.stringify(body), {
    status: 200,
    type: "application/json",
    more: { "cache-control": "no-store" },
  });
}

async function rightsOf(
  { registry }: TokenCall,
  { name, rights }: Scope,
  identify: () => Promise<RegistryCaller>,
): Promise<Right[]> {
  const caller = await identify().catch((error: unknown) => {
    // Not the caller's organization. When the database is unreachable, the token's rights are unknown.
    if (error instanceof Refused && error.code === "not_found") return null;
    throw error;
  });
  if (!caller) return [];
  const granted = await Promise.all(
    rights.map((right) =>
      registry.grant(caller, name, right).then(
        () => right,
        (error: unknown) => {
          if (error instanceof RegistryError) return null;
          throw error;
        },
      ),
    ),
  );
  return granted.filter((right) => right !== null);
}

function readScopes(texts: readonly string[]): Scope[] {
  const scopes = texts.flatMap((text) => text.split(" ")).filter((text) => text !== "");
  if (scopes.length > MAX_SCOPES || scopes.join(" ").length > MAX_SCOPES_LENGTH)
    throw new RegistryError(
      "UNSUPPORTED",
      `a token can have at most ${MAX_SCOPES} scopes, with at most ${MAX_SCOPES_LENGTH} characters in total`,
      { status: 400 },
    );
  return scopes.flatMap((text) => {
    const [, name, actions = ""] = SCOPE.exec(text) ?? [];
    if (name === undefined) return [];
    const named = new Set(actions.split(","));
    const wants = (right: Right) =>
      named.has(right) || named.has("*") || (right === "push" && named.has("delete"));
    return [{ name, rights: (["pull", "push"] as const).filter(wants) }];
  });
}

async function readForm(call: TokenCall): Promise<URLSearchParams> {
  const tooLarge = () =>
    new RegistryError("SIZE_INVALID", `a form can have at most ${MAX_FORM_BYTES} bytes`, { status: 413 });
  const bytes = await readWhole(call, { maxBytes: MAX_FORM_BYTES, tooLarge });
  return new URLSearchParams(bytes.toString("utf8"));
}

/** The token of the OAuth 2 form; undefined: none. */
function authorizationOf(form: URLSearchParams): string | undefined {
  const type = form.get("grant_type") ?? "password";
  if (type !== "password" && type !== "refresh_token")
    throw new RegistryError("UNSUPPORTED", "grant_type must be password or refresh_token", { status: 400 });
  const password = form.get(type);
  return password ? `Bearer ${password}` : undefined;
}

/** The token in the header. */
function shownIn(authorization: string): string {
  const [scheme = "", value = ""] = authorization.split(/ +/, 2);
  if (scheme.toLowerCase() === "bearer") return value;
  if (scheme.toLowerCase() !== "basic") return "";
  const pair = Buffer.from(value, "base64").toString("utf8");
  return pair.slice(pair.indexOf(":") + 1);
}
