/** Who sends a request: a token, as `Bearer`, or as the password of `Basic` with any user name. Cookies do not count. */
import type { IncomingHttpHeaders } from "node:http";
import type { Credentials } from "#accounts/index.ts";

/** Longer ones have no token. */
const MAX_LENGTH = 1024;

/** @param organization as the tool names it; wins over the header `Millrace-Org` */
export function readCredentials(headers: IncomingHttpHeaders, organization?: string): Credentials {
  const named = organization ?? headers["millrace-org"]?.toString();
  return { bearer: readToken(headers.authorization ?? ""), organization: named };
}

function readToken(authorization: string): string {
  if (authorization.length > MAX_LENGTH) return "";
  const space = authorization.indexOf(" ");
  const scheme = authorization.slice(0, space).toLowerCase();
  const value = authorization.slice(space + 1).trim();
  if (scheme === "bearer") return value;
  if (scheme !== "basic") return "";
  const pair = Buffer.from(value, "base64").toString("utf8");
  const colon = pair.indexOf(":");
  return colon < 0 ? "" : pair.slice(colon + 1);
}
