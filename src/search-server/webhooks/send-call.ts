/** One call of a webhook: only to a public address, or to an origin that the operator has listed. */
import http from "node:http";
import https from "node:https";
import { createPublicLookup, type Resolve } from "#platform/http/addresses/public-lookup.ts";
import { readWebhookUrl, type Webhook } from "./webhook.ts";

export interface Reach {
  listed: ReadonlySet<string>;
  resolve?: Resolve | undefined;
}

/** Why a call failed, without the address and without anything that the other server sent. */
export class CallError extends Error {}

/** Redirects are not followed. @throws CallError */
export async function sendCall(
  { url: address, headers }: Webhook,
  body: Uint8Array,
  { listed, resolve, signal }: Reach & { signal: AbortSignal },
): Promise<void> {
  // Checked again: the operator may have listed other origins since.
  const url = checked(address, listed);
  const lookup = createPublicLookup({
    isPrivate: listed.has(url.origin),
    refuse: (problem) =>
      new CallError(problem === "none" ? "its host has no address" : "its host has no public address"),
    resolve,
  });
  const status = await new Promise<number>((answered, failed) => {
    const { request } = url.protocol === "https:" ? https : http;
    request(url, {
      method: "POST",
      lookup,
      signal,
      // A new connection: one that is kept open would be reused without a check.
      agent: false,
      headers: {
        "user-agent": "millrace",
        ...headers,
        "content-type": "application/x-ndjson",
        "content-encoding": "gzip",
        "content-length": body.byteLength,
      },
    })
      .on("response", (answer) => {
        answer.destroy();
        answered(answer.statusCode ?? 0);
      })
      .on("error", failed)
      .end(body);
  }).catch((error: unknown) => {
    throw error instanceof CallError ? error : new CallError(reasonOf(error, signal));
  });
  if (status < 200 || status > 299) throw new CallError(`it responded with status ${status}`);
}

function checked(address: string, listed: ReadonlySet<string>): URL {
  try {
    return readWebhookUrl(address, listed);
  } catch {
    throw new CallError("its address is no longer allowed");
  }
}

function reasonOf(error: unknown, signal: AbortSignal): string {
  if (signal.aborted) return "it does not respond in time";
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  if (code === "ENOTFOUND" || code === "EAI_AGAIN") return "its host is unknown";
  return /CERT|SIGNED|ALTNAME/.test(code) ? `its certificate is not valid (${code})` : "it does not respond";
}
