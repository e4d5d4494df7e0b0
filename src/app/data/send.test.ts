/**
 * Requests of the application that the server wants confirmed.
 * 1. One question for all waiting requests; each is sent again unchanged, with its idempotency key, and as
 *    often as the server asks for it.
 * 2. A person who cancels reads that nothing was changed, in the forms of both clients.
 * 3. Where no page can ask, the result is the same, immediately.
 */
import { afterEach, beforeEach, expect, test } from "vitest";
import { sendForm } from "./ask-server.ts";
import { call } from "./call.ts";
import { type IdentityAnswer, isIdentityAsked, settleIdentity, watchIdentity } from "./confirming.ts";
import { replaceSending } from "./send.ts";

let isConfirmed = false;
let sent: { address: string; init: RequestInit }[] = [];
let asked = 0;
let unwatch = () => {};

beforeEach(() => {
  isConfirmed = false;
  sent = [];
  asked = 0;
  replaceSending(async (address, init) => {
    sent.push({ address, init });
    if (isConfirmed) return Response.json({ id: "tok_1" });
    const body = { code: "failed_precondition", message: "confirm that it is you" };
    return Response.json(body, { status: 400, headers: { "millrace-confirm": "required" } });
  });
});

afterEach(() => unwatch());

/** Answers the way a page does. */
const answerWith = (answer: () => IdentityAnswer) => {
  unwatch = watchIdentity(() => {
    if (!isIdentityAsked()) return;
    asked += 1;
    setTimeout(() => settleIdentity(answer()));
  });
};

const create = () =>
  call("TokenService/Create", { name: "a" } as never, { organization: "acme", idempotencyKey: "k" });

test("1. confirmed", async () => {
  answerWith(() => {
    isConfirmed = true;
    return "confirmed";
  });
  const [token] = await Promise.all([create(), sendForm("/auth/two-step/off", {})]);
  expect(token).toEqual({ id: "tok_1" });
  expect(asked).toBe(1);
  const creations = sent.filter(({ address }) => address.endsWith("Create"));
  expect(creations).toHaveLength(2);
  expect(creations[1]?.init).toEqual(creations[0]?.init);
  expect(creations[1]?.init.headers).toMatchObject({ "Idempotency-Key": "k" });
});

test("1. confirmed, and asked for once more", async () => {
  answerWith(() => {
    isConfirmed = asked === 2;
    return "confirmed";
  });
  await expect(create()).resolves.toEqual({ id: "tok_1" });
  expect([asked, sent.length]).toEqual([2, 3]);
});

const NOTHING = { code: "canceled", message: "Nothing was changed: you did not confirm that it is you." };

test("2. canceled", async () => {
  answerWith(() => "canceled");
  await expect(create()).rejects.toMatchObject({ ...NOTHING, name: "CallError" });
  await expect(sendForm("/auth/two-step/off", {})).rejects.toMatchObject({ ...NOTHING, name: "Refusal" });
  expect([asked, sent.length]).toEqual([2, 2]);
});

test("2. a question that cannot be shown", async () => {
  answerWith(() => "unasked");
  await expect(create()).rejects.toMatchObject({
    code: "canceled",
    message: expect.stringMatching(/^Nothing was changed: .*; reload the page\.$/),
  });
});

test("3. no one to ask", async () => {
  await expect(create()).rejects.toMatchObject(NOTHING);
  expect(isIdentityAsked()).toBe(false);
});
