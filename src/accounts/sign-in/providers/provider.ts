/** The places where people sign in elsewhere: an OIDC provider or GitHub, configured by the operator. */
import { readAnswerText } from "#platform/http/read-body.ts";

/** Codes of `/app/sign-in?error=…`. */
export type ProviderErrorCode =
  | "expired"
  | "canceled"
  | "provider-away"
  | "provider-failed"
  | "unverified-mail"
  | "not-a-member"
  | "linked-elsewhere"
  | "invitation";

export class ProviderError extends Error {
  override readonly name = "ProviderError";
  readonly code: ProviderErrorCode;
  /** The address that no one here has. */
  readonly mail: string | null;

  constructor(
    code: ProviderErrorCode,
    message: string,
    { mail = null, cause }: { mail?: string | null; cause?: unknown } = {},
  ) {
    super(message, cause === undefined ? undefined : { cause });
    this.code = code;
    this.mail = mail;
  }
}

/** A person whom a provider vouches for. */
export interface Person {
  issuer: string;
  /** The issuer's own name for the person, which is never given to another person. */
  subject: string;
  name: string;
  mail: string | null;
  isMailVerified: boolean;
}

/** State that the browser carries between the two steps. */
export interface ProviderSecrets {
  state: string;
  nonce: string;
  /** PKCE. */
  verifier: string;
}

export interface Provider {
  kind: "oidc" | "github";
  /** `Google`; for buttons. */
  label: string;
  /** The address that the browser opens. @throws ProviderError `provider-away`, `provider-failed` */
  begin: (secrets: ProviderSecrets) => Promise<URL>;
  /** @param callback the address with which the browser returned. @throws ProviderError */
  finish: (callback: URL, secrets: ProviderSecrets) => Promise<Person>;
}

const TIMEOUT_MS = 10_000;
const MAX_ANSWER_BYTES = 512 * 1024;
const MAX_SUBJECT = 255;
const MAX_TEXT = 1000;

export interface ProviderFetchOptions {
  timeoutMs?: number;
}

/**
 * `fetch` for `oauth4webapi` with limits: one deadline for the whole answer, which is read here, and a maximum size above
 * that of any valid answer. It follows no redirects.
 */
export function createProviderFetch({ timeoutMs = TIMEOUT_MS }: ProviderFetchOptions = {}) {
  return async (address: string | URL, init: RequestInit = {}): Promise<Response> => {
    try {
      const signal = AbortSignal.timeout(timeoutMs);
      const answer = await fetch(address, { ...init, redirect: "manual", signal });
      const text = await readAnswerText(answer, { maxBytes: MAX_ANSWER_BYTES, signal });
      if (answer.status >= 500)
        throw new ProviderError(
          "provider-away",
          `${hostOf(address)} responded with status ${answer.status}.`,
        );
      const hasNoBody = answer.status === 204 || answer.status === 304;
      return new Response(hasNoBody ? null : text, { status: answer.status, headers: answer.headers });
    } catch (cause) {
      if (cause instanceof ProviderError) throw cause;
      throw new ProviderError("provider-away", `${hostOf(address)} did not send a valid response.`, {
        cause,
      });
    }
  };
}

/** Turns all other errors into ProviderErrors. */
export async function trustProvider<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (cause) {
    if (cause instanceof ProviderError) throw cause;
    const isDenied = cause instanceof Error && "error" in cause && cause.error === "access_denied";
    if (isDenied) throw new ProviderError("canceled", "The person canceled the sign-in.", { cause });
    throw new ProviderError("provider-failed", "The provider's response is not valid.", { cause });
  }
}

/** A text from a provider; null when it is not a text, or too long. */
export function textFrom(value: unknown, maxLength = MAX_TEXT): string | null {
  return typeof value === "string" && value.length > 0 && value.length <= maxLength ? value : null;
}

export function subjectFrom(value: unknown): string {
  const subject = textFrom(value, MAX_SUBJECT);
  if (subject !== null && /^[\x20-\x7E]+$/.test(subject)) return subject;
  throw new ProviderError("provider-failed", "The provider names no person (`sub`).");
}

/** The address with these parameters in addition to those of its query. */
export function withParameters(address: string, parameters: Readonly<Record<string, string>>): URL {
  const url = new URL(address);
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
  return url;
}

const hostOf = (address: string | URL) => new URL(address).host;
