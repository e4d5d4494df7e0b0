/** A webhook: where finished tasks are sent, and with which headers. */
import { isPublicHost } from "#platform/http/addresses/public-lookup.ts";
import { ApiError } from "../protocol/errors.ts";
import {
  MAX_WEBHOOK_HEADER_LENGTH,
  MAX_WEBHOOK_HEADERS,
  MAX_WEBHOOK_URL_LENGTH,
} from "../protocol/limits.ts";

export interface Webhook {
  uuid: string;
  url: string;
  /** Secret: they are neither shown nor logged. */
  headers: { [name: string]: string };
}

/** The connection's own headers, and what the body is. */
const RESERVED = new Set(
  ["host", "connection", "content-length", "content-type", "content-encoding", "transfer-encoding"].concat([
    "expect",
    "keep-alive",
    "proxy-connection",
    "te",
    "trailer",
    "upgrade",
  ]),
);

/**
 * @param listed origins that the operator has listed: they may be private, and without TLS
 * @throws ApiError
 */
export function readWebhookUrl(text: string, listed: ReadonlySet<string>): URL {
  const refuse = (problem: string) =>
    new ApiError("invalid_webhook_url", `The webhook's \`url\` ${problem}.`);
  if (text.length > MAX_WEBHOOK_URL_LENGTH)
    throw refuse(`has ${text.length} characters; this server accepts at most ${MAX_WEBHOOK_URL_LENGTH}`);
  if (!URL.canParse(text)) throw refuse("is not an address");
  const url = new URL(text);
  if (url.username !== "" || url.password !== "") throw refuse("contains a password: send it as a header");
  if (listed.has(url.origin)) return url;
  if (url.protocol !== "https:")
    throw refuse(
      "does not begin with https://; the server's operator can list others in SEARCH_WEBHOOK_ORIGINS",
    );
  if (!isPublicHost(url))
    throw refuse(
      "names a host without a public address; the server's operator can list it in SEARCH_WEBHOOK_ORIGINS",
    );
  return url;
}

/** The headers with the changes of a body: null removes one. @throws ApiError */
export function changeHeaders(
  before: Webhook["headers"],
  changes: { [name: string]: string | null },
): Webhook["headers"] {
  const headers = new Map(Object.entries(before));
  for (const [given, value] of Object.entries(changes)) {
    const name = given.toLowerCase();
    checkHeader(name, value);
    if (value === null) headers.delete(name);
    else headers.set(name, value);
  }
  if (headers.size > MAX_WEBHOOK_HEADERS)
    throw wrongHeaders(
      `There are ${headers.size} headers; this server accepts at most ${MAX_WEBHOOK_HEADERS}.`,
    );
  return Object.fromEntries(headers);
}

function checkHeader(name: string, value: string | null): void {
  const shown = name.slice(0, 100);
  if (name.length > MAX_WEBHOOK_HEADER_LENGTH || !/^[\w!#$%&'*+.^`|~-]+$/.test(name))
    throw wrongHeaders(`\`${shown}\` is not the name of a header.`);
  if (RESERVED.has(name)) throw wrongHeaders(`\`${shown}\` is a header that this server sets.`);
  if (value !== null && (value.length > MAX_WEBHOOK_HEADER_LENGTH || !/^[\t\x20-\x7e]*$/.test(value)))
    throw wrongHeaders(
      `The value of \`${shown}\` has more than ${MAX_WEBHOOK_HEADER_LENGTH} characters, or a character that is not printable ASCII.`,
    );
}

const wrongHeaders = (message: string) => new ApiError("invalid_webhook_headers", message);
