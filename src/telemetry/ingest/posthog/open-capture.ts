import { Refusal } from "../../contract/refusal.ts";
import { inflateIfGzip, isGzip } from "../read-body.ts";

/** Undoes base64 in a form and gzip. @throws Refusal */
export async function openCapture(
  bytes: Uint8Array<ArrayBuffer>,
  contentType: string,
  limit: number,
): Promise<Uint8Array<ArrayBuffer>> {
  // The content type cannot be trusted: some SDKs send JSON as a form, others a form as text.
  const isForm =
    startsWith(bytes, "data=") ||
    (contentType.startsWith("application/x-www-form-urlencoded") && !isGzip(bytes) && !startsLikeJson(bytes));
  return inflateIfGzip(isForm ? readForm(bytes) : bytes, limit);
}

/** The field `data` alone: a form may have half a million others. @throws Refusal */
function readForm(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  const form = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const start = startsWith(bytes, "data=") ? 0 : form.indexOf("&data=") + 1;
  if (start === 0 && !startsWith(bytes, "data="))
    throw new Refusal("not readable", "The form has no field `data`.");
  const next = form.indexOf("&", start);
  const field = form.toString("latin1", start + "data=".length, next === -1 ? form.length : next);
  return new Uint8Array(Buffer.from(unescapeBase64(field), "base64"));
}

function unescapeBase64(field: string): string {
  // An unescaped + may have become a space.
  const text = field.replaceAll(" ", "+");
  try {
    return decodeURIComponent(text);
  } catch {
    // With damaged escapes the result is not JSON, and is refused as such.
    return text;
  }
}

function startsWith(bytes: Uint8Array, text: string): boolean {
  return (
    Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.byteLength, text.length)).toString() === text
  );
}

function startsLikeJson(bytes: Uint8Array): boolean {
  return /^\s*[{[]/.test(Buffer.from(bytes.subarray(0, 20)).toString("latin1"));
}
