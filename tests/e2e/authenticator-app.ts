import { createHmac } from "node:crypto";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { expect, type Page } from "@playwright/test";

const BASE32 = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";
const STEP_MS = 30_000;

/**
 * The code that a phone shows for a key: RFC 6238 with SHA-1 and six digits.
 * @param step in half minutes from the present one
 */
export function codeOf(secret: string, step = 0): string {
  const bits = [...secret].map((digit) => BASE32.indexOf(digit).toString(2).padStart(5, "0")).join("");
  const key = Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => parseInt(byte, 2)));
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(Math.floor(Date.now() / STEP_MS) + step));
  const mac = createHmac("sha1", key).update(counter).digest();
  const number = mac.readUInt32BE((mac.at(-1) ?? 0) & 0x0f) & 0x7fffffff;
  return String(number % 1_000_000).padStart(6, "0");
}

/** Each half minute's code works once: tests do not wait for the next. @param dataDir of the server */
export function forgetUsedCodes({ dataDir }: { dataDir: string }): void {
  const database = new DatabaseSync(join(dataDir, "millrace.db"), { timeout: 10_000 });
  database.exec("UPDATE totp_secrets SET last_step = 0; DELETE FROM limit_counts");
  database.close();
}

/** Turns two-step sign-in on for the page's person, without its screens. @returns the key of the app */
export async function setUpApp({ request }: Page, origin: string): Promise<string> {
  const post = async (path: string, data: object) => {
    const answer = await request.post(`${origin}/auth/two-step/${path}`, {
      data,
      headers: { Origin: origin },
    });
    expect(answer.status(), path).toBe(200);
    return (await answer.json()) as { state: string; secret: string };
  };
  const { state, secret } = await post("totp/begin", {});
  await post("totp", { state, code: codeOf(secret) });
  return secret;
}
