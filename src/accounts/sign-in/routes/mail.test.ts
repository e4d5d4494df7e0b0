/**
 * 1. A person with a proved address gets a link there, by a real SMTP server, as text and as HTML; it signs in once, in the
 *    browser that asked, and leads where that browser wanted to go.
 * 2. Strangers get the same answer and no mail.
 * 3. The link does nothing in another browser, later than 15 minutes, twice, or after the address has changed; looking at it,
 *    as mail scanners do, does not use it.
 * 4. An address is proved by its own link only; a claimed address signs no one in, and goes to the person who proves it.
 * 5. A client that asks for an address again and again has to do work for it, in the same way if no one has the address;
 *    browsers in which its owner has signed in need not, until they sign out everywhere. One client asks a few times a
 *    minute; a mail server that refuses, hangs or is unreachable changes no answer and ends nothing.
 * 6. Nothing in an address becomes a second recipient or a header.
 */
import fc from "fast-check";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { testDatabaseKinds } from "#platform/testing/database.ts";
import type { DatabaseKind } from "#platform/database/columns.ts";
import type { Caller } from "../../changes/change-records.ts";
import { endSignIn, identify } from "../../index.ts";
import { createMailer } from "../mail/mailer.ts";
import { openTestBrowser, type TestBrowser } from "../../testing/browser.ts";
import { openTestPeople, TEST_ORIGIN, type TestPeople } from "../../testing/people.ts";
import { type ReceivedMail, startTestSmtp, type TestSmtp } from "../../testing/smtp.ts";
import { doWork } from "../../testing/work.ts";

const MAIL = "ada@acme.example";
let smtp: TestSmtp;
beforeAll(async () => {
  smtp = await startTestSmtp();
});
beforeEach(() => {
  smtp.mails.length = 0;
  Object.assign(smtp.verdict, { recipient: "250 ok", hangs: false });
});
afterAll(() => smtp.close());

async function open(kind: DatabaseKind) {
  const mailer = createMailer({ smtpUrl: smtp.url, from: "Millrace <millrace@acme.example>" });
  const people = await openTestPeople(kind, {
    accounts: { sendMail: mailer.sendMail },
    routes: { sentBy: mailer.sentBy },
  });
  return {
    ...people,
    mailer,
    async [Symbol.asyncDispose]() {
      await mailer.close();
      await people[Symbol.asyncDispose]();
    },
  };
}

/** Long lines of mails are folded with `=` (quoted-printable). */
const plain = ({ text }: ReceivedMail) => text.replaceAll("=\n", "").replaceAll("=3D", "=");
const keyIn = (mail: ReceivedMail) => /\/app\/mail\/([0-9A-Z-]{14})/.exec(plain(mail))?.[1] ?? "";

/** An owner whose address is proved. */
async function openProved(kind: DatabaseKind) {
  const people = await open(kind);
  const owner = await people.begin({ mail: MAIL });
  const key = keyIn(await smtp.take(0));
  const answer = await owner.post(`/auth/mail/${key}`, {});
  expect(answer).toMatchObject({ status: 200, body: { next: "/app" } });
  people.time.now += 61_000;
  return { ...people, owner, [Symbol.asyncDispose]: () => people[Symbol.asyncDispose]() };
}

/** The person who is signed in in a browser, as the caller of an operation. */
async function callerOf({ accounts }: TestPeople, { cookies }: TestBrowser): Promise<Caller> {
  const actor = await identify(accounts, { cookie: cookies.get("millrace-session") });
  return { actor, address: "" };
}

describe.each(testDatabaseKinds)("%s", (kind) => {
  test("1. and 3. a link by mail", async () => {
    await using people = await openProved(kind);
    const visitor = people.browser();
    const asked = await visitor.post("/auth/mail", { mail: " Ada@ACME.example ", next: "/console/pages" });
    expect(asked).toMatchObject({
      status: 200,
      body: {
        sent_at: new Date(people.time.now).toISOString(),
        expires_at: new Date(people.time.now + 900_000).toISOString(),
        resend_after_seconds: 60,
        sent_by: "127.0.0.1",
      },
    });
    const mail = await smtp.take(1);
    expect(mail).toMatchObject({ to: [MAIL] });
    expect(plain(mail)).toMatch(/^From: Millrace <millrace@acme.example>$/m);
    expect(plain(mail)).toMatch(/^Subject: Sign in to Millrace on localhost:3000$/m);
    expect(plain(mail)).toContain("Content-Type: text/plain");
    const key = keyIn(mail);
    expect(plain(mail)).toContain(`<a href="${TEST_ORIGIN}/app/mail/${key}">`);
    const elsewhere = people.browser();
    const other = await elsewhere.post(`/auth/mail/${key}`, {});
    expect(other.body).toMatchObject({
      code: "failed_precondition",
      message: expect.stringContaining("in the browser"),
    });
    expect((await elsewhere.get(`/auth/start/${key}`)).body).toEqual({ state: "unknown" });
    expect((await elsewhere.post(`/auth/start/${key}`, {})).status).toBe(404);
    const answer = await visitor.post(`/auth/mail/${key}`, {});
    expect(answer).toMatchObject({ status: 200, body: { next: "/console/pages" } });
    expect((await visitor.get("/auth/state")).body["user"]).toMatchObject({ name: "ada" });
    expect((await visitor.post(`/auth/mail/${key}`, {})).body["message"]).toContain("already used");
    expect(JSON.stringify(people.logged)).not.toContain(key);
  });

  test("3. too late, or after a change", async () => {
    await using people = await openProved(kind);
    const visitor = people.browser();
    await visitor.post("/auth/mail", { mail: MAIL });
    const key = keyIn(await smtp.take(1));
    await people.accounts.db.updateTable("users").set({ mail: "new@acme.example" }).execute();
    expect((await visitor.post(`/auth/mail/${key}`, {})).body["message"]).toContain("no longer belongs");
    await people.accounts.db.updateTable("users").set({ mail: MAIL }).execute();
    people.time.now += 15 * 60_000;
    expect((await visitor.post(`/auth/mail/${key}`, {})).body["message"]).toContain("expired");
  });

  test("2. and 4. strangers, and addresses that are not proved", async () => {
    await using people = await open(kind);
    const owner = await people.begin({ mail: MAIL });
    await smtp.take(0);
    people.time.now += 61_000;
    const [one, other] = [people.browser(), people.browser()];
    const stranger = await one.post("/auth/mail", { mail: "nobody@acme.example" });
    const claimed = await other.post("/auth/mail", { mail: MAIL });
    expect(stranger.body).toEqual(claimed.body);
    expect([...one.cookies.keys()]).toEqual([...other.cookies.keys()]);
    people.time.now += 61_000;
    // The person asks from their own browser.
    expect((await owner.post("/auth/mail", { mail: MAIL })).status).toBe(200);
    const key = keyIn(await smtp.take(1));
    // For another address this browser carries another key.
    people.time.now += 61_000;
    await owner.post("/auth/mail", { mail: "other@acme.example" });
    expect((await owner.post(`/auth/mail/${key}`, {})).status).toBe(400);
    await owner.post("/auth/mail", { mail: MAIL });
    expect((await owner.post(`/auth/mail/${keyIn(await smtp.take(2))}`, {})).status).toBe(200);
    const [row] = await people.accounts.db.selectFrom("users").selectAll().execute();
    expect(row?.mail_verified_at).toBe(people.time.now);
    expect(smtp.mails).toHaveLength(3);
  });

  test("5. strangers who ask for the same address", async () => {
    await using people = await openProved(kind);
    const { time, place, owner } = people;
    const [apps, sentBefore] = [[people.app, people.other], smtp.mails.length];
    let answered = 0;
    let asked: unknown[] = [];
    /** From a new network each time, at the two servers in turn. */
    const askAsStranger = async (mail: string, network: number, headers: Record<string, string> = {}) => {
      place.address = `203.0.${network}.9`;
      const browser = openTestBrowser(apps[network % 2] ?? people.app, TEST_ORIGIN);
      const answer = await browser.post("/auth/mail", { mail }, headers);
      answered += answer.status === 200 ? 1 : 0;
      asked = [answer.status, (answer.body["work"] as { bits?: number } | undefined)?.bits];
      return answer;
    };
    // Servers that share PostgreSQL count together.
    const free = kind === "postgres" ? 3 : 6;
    for (let network = 0; network < free; network += 1)
      expect((await askAsStranger(MAIL, network)).status).toBe(200);
    for (const mail of [MAIL, "nobody@acme.example"])
      for (let network = 10; network < 30; network += 1) {
        const { body } = await askAsStranger(mail, network);
        expect(JSON.stringify(body)).not.toContain(mail);
      }
    const claimed = asked;
    expect(claimed).toEqual([429, 17]);
    await askAsStranger(MAIL, 30);
    expect(asked).toEqual(claimed);
    // The owner's browser is not in the strangers' queue, even after signing out.
    expect((await owner.post("/auth/mail", { mail: MAIL })).status).toBe(200);
    await owner.post("/auth/sign-out", {});
    expect((await owner.post("/auth/mail", { mail: MAIL })).status).toBe(200);
    await expect.poll(() => smtp.mails.length).toBe(sentBefore + free + 2);
    const key = keyIn(smtp.mails.at(-1)!);
    expect((await owner.post(`/auth/mail/${key}`, {})).status).toBe(200);
    // A stranger who did the work continues, once.
    const other = await askAsStranger(MAIL, 40);
    const work = await doWork(other.body);
    expect((await askAsStranger(MAIL, 42, work)).status).toBe(429);
    expect((await askAsStranger(MAIL, 40, work)).status).toBe(200);
    expect((await askAsStranger(MAIL, 40, work)).status).toBe(429);
    expect(asked).toEqual([429, 18]);
    // Signing out everywhere makes the browser a stranger.
    time.now += 1;
    await endSignIn(people.accounts, await callerOf(people, owner), { all: true });
    place.address = "203.0.50.9";
    expect((await owner.post("/auth/mail", { mail: MAIL })).status).toBe(429);
    time.now += 3_600_000;
    expect((await owner.post("/auth/mail", { mail: MAIL })).status).toBe(200);
    await expect.poll(() => smtp.mails.length).toBe(sentBefore + free + 4);
  });

  test("5. one client, and a bad mail server", async () => {
    await using people = await openProved(kind);
    const visitor = people.browser();
    smtp.verdict.recipient = "550 no such person here";
    expect((await visitor.post("/auth/mail", { mail: MAIL })).status).toBe(200);
    await expect.poll(() => people.logged.join()).toContain("could not be sent");
    let refused = 0;
    for (let count = 0; count < 20; count += 1)
      if ((await visitor.post("/auth/mail", { mail: `${count}@acme.example` })).status === 429) refused += 1;
    expect(refused).toBeGreaterThan(8);
  });

  test("5. without a mail server", async () => {
    await using people = await openTestPeople(kind);
    expect((await people.browser().post("/auth/mail", { mail: MAIL })).body["code"]).toBe(
      "failed_precondition",
    );
  });
});

test("5. a mail server that hangs or is unreachable", async () => {
  smtp.verdict.hangs = true;
  const mail = { to: MAIL, subject: "Hi", text: "Hi" };
  const slow = createMailer({ smtpUrl: smtp.url, from: "m@acme.example", timeoutMs: 100 });
  await expect(slow.sendMail(mail)).rejects.toThrow("127.0.0.1 did not accept the mail.");
  await slow.close();
  const away = createMailer({ smtpUrl: "smtp://me:secret@127.0.0.1:1", from: "m@acme.example" });
  await expect(away.sendMail(mail)).rejects.toThrow(/^127.0.0.1 did not accept the mail.$/);
  await away.close();
});

test("6. addresses", async () => {
  await using people = await openTestPeople("sqlite", { accounts: { sendMail: async () => {} } });
  const mailer = createMailer({ smtpUrl: smtp.url, from: "millrace@acme.example" });
  await mailer.sendMail({
    to: "a@b.example",
    subject: "Hi\r\nBcc: x@y.example",
    text: "<b>&</b> https://a.example",
  });
  const mail = await smtp.take(0);
  expect(mail.to).toEqual(["a@b.example"]);
  expect(mail.text).not.toMatch(/^Bcc:/m);
  expect(plain(mail)).toContain("&lt;b&gt;&amp;&lt;/b&gt; <a href=");
  await mailer.close();
  await fc.assert(
    fc.asyncProperty(
      fc.oneof(
        fc.string(),
        fc.constantFrom("a@b.c, d@e.f", "a@b.c\r\nBcc: d@e.f", "<a@b.c>", "a@b.c;d@e.f", '"a b"@c.d'),
      ),
      async (text) => {
        people.time.now += 61_000;
        const { status } = await people.browser().post("/auth/mail", { mail: text });
        expect(status).toBe(/^[^\s@<>()[\]\\,;:"]+@[a-z0-9.-]+$/i.test(text.trim()) ? status : 400);
      },
    ),
  );
});
