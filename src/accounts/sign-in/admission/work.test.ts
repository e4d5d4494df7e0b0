/**
 * 1. Finished work lets a request through once, for its purpose, from its network.
 * 2. Work that is wrong, forged, changed, expired, easier than required, or for another purpose lets no one through; no text
 *    does, and none causes an error.
 */
import fc from "fast-check";
import { Hono } from "hono";
import { expect, test } from "vitest";
import { solveWork } from "#platform/text/solve-work.ts";
import { zeroBits } from "#platform/work/zero-bits.ts";
import type { Accounts } from "../../contract/accounts.ts";
import { openTestAccounts } from "../../testing/accounts.ts";
import { signState } from "../browser/signed-state.ts";
import { acceptWork, BASE_BITS, type Work, WORK_LIFETIME_MS, WorkAsked } from "./work.ts";

const MAIL: Work = { use: "mail", address: "2001:db8:1:2::7", bits: 6 };

/** Whether a request with this header is let through. */
async function accept(accounts: Accounts, header: string, work: Work): Promise<boolean> {
  const app = new Hono();
  app.get("/", async (context) => context.json(await acceptWork(accounts, context, work)));
  const response = await app.request("/", { headers: { "millrace-work": header } });
  expect(response.status).toBe(200);
  return (await response.json()) === true;
}

test("1. work that is done", async () => {
  await using opened = await openTestAccounts("sqlite");
  const { accounts } = opened;
  const answer = await solveWork(new WorkAsked(accounts, MAIL).work);
  expect(await accept(accounts, answer, { ...MAIL, address: "2001:db8:1:2:ffff::1" })).toBe(true);
  expect(await accept(accounts, answer, MAIL)).toBe(false);
  const harder = await solveWork(new WorkAsked(accounts, { ...MAIL, bits: 8 }).work);
  expect(await accept(accounts, harder, MAIL)).toBe(true);
});

test("2. everything else", async () => {
  await using opened = await openTestAccounts("sqlite");
  const { accounts, time } = opened;
  const { work } = new WorkAsked(accounts, MAIL);
  const answer = await solveWork(work);
  const wrong = Array.from({ length: 1000 }, (_, nonce) => nonce).find(
    (nonce) => zeroBits(work.challenge, nonce) < MAIL.bits,
  );
  const [payload = "", mac = ""] = work.challenge.split(".");
  const easier = Buffer.from(
    Buffer.from(payload, "base64url").toString().replace('"bits":6', '"bits":0'),
  ).toString("base64url");
  const data = { use: "mail", from: "2001:db8:1:2", bits: 0, nonce: "x" };
  const ofAnotherPurpose = signState(accounts, "browser", { data, lifetimeMs: 60_000 });
  for (const [header, asked] of [
    [`${work.challenge}:${wrong}`, MAIL],
    [`${easier}.${mac}:0`, { ...MAIL, bits: 0 }],
    [`${ofAnotherPurpose}:0`, { ...MAIL, bits: 0 }],
    [answer, { ...MAIL, use: "device" }],
    [answer, { ...MAIL, address: "2001:db8:1:3::7" }],
    [answer, { ...MAIL, bits: BASE_BITS }],
    [answer.replace(/:\d+$/, ""), MAIL],
  ] as const)
    expect(await accept(accounts, header, asked)).toBe(false);
  await fc.assert(
    fc.asyncProperty(
      fc.oneof(
        fc.string({ unit: "grapheme-ascii" }),
        fc.tuple(fc.base64String(), fc.base64String(), fc.nat()).map(([a, b, n]) => `${a}.${b}:${n}`),
        fc.string().map((text) => `${work.challenge}:${text.replace(/[^\d]/g, "")}${"9".repeat(20)}`),
      ),
      async (header) => {
        expect(await accept(accounts, header.replace(/[^ -~]/g, ""), MAIL)).toBe(false);
      },
    ),
  );
  time.now += WORK_LIFETIME_MS;
  expect(await accept(accounts, answer, MAIL)).toBe(false);
});
