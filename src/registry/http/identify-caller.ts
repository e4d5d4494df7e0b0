/** The caller: a token of `/v2/token`, an accounts' token as `Bearer`, or one as the password of `Basic` with any user name. */
import type { IncomingHttpHeaders } from "node:http";
import { type Callers, type IsGone, Refused } from "#accounts/index.ts";
import type { AnyRequest } from "#platform/http/connections/connection.ts";
import { parseRepositoryName } from "../contract/names.ts";
import type { RegistryCaller } from "../contract/registry.ts";
import { asksToPush, splitAddress } from "./routes.ts";
import { isScopedToken, type ScopedTokens } from "./token.ts";

export interface IdentifyOptions {
  address: string | null;
  /** The requested repository's name; the caller acts in its organization. */
  name: string;
  /** Whether the client knows where to get a token. Every client asks without one first, which is not worth reporting. */
  isTold?: boolean;
  isGone?: IsGone | undefined;
}

/** @throws Refused, TooManyRequestsError */
export type Identify = (headers: IncomingHttpHeaders, options: IdentifyOptions) => Promise<RegistryCaller>;

const BEARER = /^bearer +(\S+)$/i;

export function createIdentifying(callers: Callers, tokens: ScopedTokens): Identify {
  return async ({ authorization = "" }, { address, name, isTold = authorization !== "", isGone }) => {
    const bearer = BEARER.exec(authorization)?.[1] ?? "";
    const opened = isScopedToken(bearer) ? tokens.open(bearer) : null;
    if (isScopedToken(bearer) && !opened)
      throw new Refused("unauthenticated", "the token from /v2/token has expired; request another token");
    const shown = opened ? `Bearer ${opened.shown}` : authorization;
    const organization = parseRepositoryName(name)?.organization;
    const actor = await callers.identify(
      { authorization: shown },
      { address, organization, isGone, ...(isTold && { at: "/v2/" }) },
    );
    return { actor, scopes: opened?.scopes ?? null };
  };
}

/** `WWW-Authenticate`: where to get a token, and for what. */
export function challengeFor(
  origin: string,
  { url = "", method = "" }: Pick<AnyRequest, "url" | "method">,
): string {
  const { name, rest, query } = splitAddress(url.slice(0, 4_096));
  const rights = asksToPush(rest, method) ? "pull,push" : "pull";
  const from = query.get("from");
  const named = [
    ...(parseRepositoryName(name) ? [`repository:${name}:${rights}`] : []),
    ...(from && parseRepositoryName(from) ? [`repository:${from}:pull`] : []),
  ];
  const scope = named.length > 0 ? `,scope="${named.join(" ")}"` : "";
  return `Bearer realm="${origin}/v2/token",service="${new URL(origin).host}"${scope}`;
}
