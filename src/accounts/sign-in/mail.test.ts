/**
 * 1. Who has proved an address gets a link there, by a real SMTP server, as text and as HTML; it signs in once, in the
 *    browser that asked, and leads where that browser wanted to go.
 * 2. Strangers get the same answer and no mail.
 * 3. The link does nothing in another browser, later than 15 minutes, twice, or after the address has changed; looking
 *    at it, as scanners of mails do, uses nothing.
 * 4. An address is proved by its own link only; one that is only claimed signs nobody in, and goes to who proves it.
 * 5. Another mail comes after 60 s, across replicas too; one client asks a few times a minute; a mail server that
 *    refuses, hangs or is away changes no answer and ends nothing.
 * 6. Nothing in an address becomes a second recipient or a header.
 */
import fc from "fast-check";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { testDatabaseKinds } from "#platform/database/test-database.ts";
import type { DatabaseKind } from "#platform/database/columns.ts";
import { createMailer } from "./mailer.ts";
import { openTestBrowser } from "./test-browser.ts";
import { openTestPeople, TEST_ORIGIN } from "./test-people.ts";
import { type ReceivedMail, startTestSmtp, type TestSmtp } from "./test-smtp.ts";

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
    expect((await visitor.post(`/auth/mail/${key}`, {})).body["message"]).toContain("used already");
    expect(JSON.stringify(people.logged)).not.toContain(key);
  });

  test("3. too late, or after a change", async () => {
    await using people = await openProved(kind);
    const visitor = people.browser();
    await visitor.post("/auth/mail", { mail: MAIL });
    const key = keyIn(await smtp.take(1));
    await people.accounts.db.updateTable("users").set({ mail: "new@acme.example" }).execute();
    expect((await visitor.post(`/auth/mail/${key}`, {})).body["message"]).toContain("does not belong");
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

  test("5. floods, and a bad mail server", async () => {
    await using people = await openProved(kind);
    const visitor = people.browser();
    expect((await visitor.post("/auth/mail", { mail: MAIL })).status).toBe(200);
    await smtp.take(1);
    const again = await visitor.post("/auth/mail", { mail: MAIL });
    expect(again).toMatchObject({ status: 429, body: { code: "resource_exhausted" } });
    expect(again.headers.get("retry-after")).toBe("60");
    const elsewhere = openTestBrowser(people.other, TEST_ORIGIN);
    expect((await elsewhere.post("/auth/mail", { mail: MAIL })).status).toBe(200);
    people.time.now += 61_000;
    smtp.verdict.recipient = "550 no such person here";
    expect((await visitor.post("/auth/mail", { mail: MAIL })).status).toBe(200);
    await expect.poll(() => people.logged.join()).toContain("could not be sent");
    expect(smtp.mails).toHaveLength(2);
    let refused = 0;
    for (let count = 0; count < 20; count += 1)
      // oxlint-disable-next-line no-await-in-loop -- one after another
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

test("5. a mail server that hangs or is away", async () => {
  smtp.verdict.hangs = true;
  const mail = { to: MAIL, subject: "Hi", text: "Hi" };
  const slow = createMailer({ smtpUrl: smtp.url, from: "m@acme.example", timeoutMs: 100 });
  await expect(slow.sendMail(mail)).rejects.toThrow("127.0.0.1 did not take the mail.");
  await slow.close();
  const away = createMailer({ smtpUrl: "smtp://me:secret@127.0.0.1:1", from: "m@acme.example" });
  await expect(away.sendMail(mail)).rejects.toThrow(/^127.0.0.1 did not take the mail.$/);
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
