import { confirmIdentity } from "../data/confirming.ts";
import { needsIdentity } from "../data/send.ts";

/** Longer answers are truncated in the page. */
const MAX_SHOWN_CHARACTERS = 100_000;

export type ApiAnswer =
  | { kind: "unsent"; reason: string }
  | {
      kind: "answered";
      status: number;
      milliseconds: number;
      headers: [name: string, value: string][];
      body: string;
    };

interface Call {
  path: string;
  /** JSON, as typed. */
  body: string;
  /** The organization's name; empty without one. */
  organization: string;
}

/** Never throws: the page shows errors as the result. */
export async function sendCall(call: Call): Promise<ApiAnswer> {
  try {
    JSON.parse(call.body);
  } catch (error) {
    return {
      kind: "unsent",
      reason: `The body is not valid JSON: ${error instanceof Error ? error.message : error}`,
    };
  }
  try {
    const first = await post(call);
    const isConfirmed = needsIdentity(first.response) && (await confirmIdentity()) === "confirmed";
    const { response, milliseconds, text } = isConfirmed ? await post(call) : first;
    return {
      kind: "answered",
      status: response.status,
      milliseconds,
      headers: [...response.headers],
      body: prettyPrint(text),
    };
  } catch {
    return {
      kind: "unsent",
      reason: "The server does not respond. Check that it is running and that you are online.",
    };
  }
}

async function post({ path, body, organization }: Call) {
  const begun = performance.now();
  const response = await fetch(path, {
    method: "POST",
    headers: {
      "Content-Type": "application/json",
      ...(organization && { "Millrace-Org": organization }),
    },
    body,
  });
  const text = await response.text();
  return { response, text, milliseconds: Math.round(performance.now() - begun) };
}

function prettyPrint(text: string): string {
  let pretty = text;
  try {
    pretty = JSON.stringify(JSON.parse(text), null, 2);
  } catch {}
  if (pretty.length <= MAX_SHOWN_CHARACTERS) return pretty;
  return `${pretty.slice(0, MAX_SHOWN_CHARACTERS)}\n… ${pretty.length - MAX_SHOWN_CHARACTERS} more characters`;
}
