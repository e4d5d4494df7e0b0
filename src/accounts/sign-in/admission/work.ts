/**
 * Cheap work that strangers have to do while someone floods what they want. The question is signed instead of stored;
 * checking an answer takes two hashes, finding an answer takes 2^bits hashes.
 *
 *   429 { work: { challenge, bits } }
 *   Millrace-Work: <challenge>:<nonce>      SHA-256(SHA-256(challenge) ‖ nonce as 8 bytes) begins with `bits` zero bits
 */
import type { Context } from "hono";
import * as z from "zod";
import { addressKey } from "#platform/http/addresses/client-address.ts";
import { zeroBits } from "#platform/work/zero-bits.ts";
import type { Accounts } from "../../contract/accounts.ts";
import { askDatabase } from "../../contract/database-away.ts";
import { randomKey } from "../../contract/ids.ts";
import { Refused } from "../../contract/refused.ts";
import { hashSecret } from "../../contract/token-text.ts";
import { readState, signState, useOnce } from "../browser/signed-state.ts";

/** Half a second in a phone's browser. */
export const BASE_BITS = 17;
/** A quarter of a minute there, and the maximum. */
export const MAX_BITS = 22;
export const WORK_LIFETIME_MS = 2 * 60_000;
const NONCE_LENGTH = 16;
const HEADER = "millrace-work";

/** The purpose: work for one does not count for another. */
export type WorkUse = "mail" | "device";

export interface Work {
  use: WorkUse;
  /** The client's; work of one network does not count for another. */
  address: string | null;
  /** The minimum of work. */
  bits: number;
}

const askedSchema = z.object({ use: z.string(), from: z.string(), bits: z.int(), nonce: z.string() });

/** Too many requests right now: a client that does this work may continue. */
export class WorkAsked extends Refused {
  readonly work: { challenge: string; bits: number };

  constructor(accounts: Accounts, { use, address, bits }: Work) {
    super(
      "resource_exhausted",
      "too many requests for this right now; a program that does the work in this response is let through",
    );
    const data = { use, from: fromOf(address), bits, nonce: randomKey(NONCE_LENGTH, accounts.randomBytes) };
    this.work = { challenge: signState(accounts, "work", { data, lifetimeMs: WORK_LIFETIME_MS }), bits };
  }
}

/** Whether a request brings this work, done and not used before. @throws Refused `unavailable` */
export async function acceptWork(accounts: Accounts, context: Context, work: Work): Promise<boolean> {
  const [, challenge, typed] = /^([\w.-]+):(\d{1,15})$/.exec(context.req.header(HEADER) ?? "") ?? [];
  if (challenge === undefined) return false;
  const asked = readState(accounts, "work", { text: challenge, schema: askedSchema });
  if (asked?.use !== work.use || asked.from !== fromOf(work.address) || asked.bits < work.bits) return false;
  if (zeroBits(challenge, Number(typed)) < asked.bits) return false;
  return askDatabase(() => useOnce(accounts, `work.${hashSecret(challenge)}`, WORK_LIFETIME_MS));
}

/** The client that the work is bound to; the holder of a challenge can read it. */
const fromOf = (address: string | null) => addressKey(address);
