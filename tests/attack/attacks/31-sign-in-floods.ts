import { Agent } from "node:http";
import { type AskedWork, solveWork } from "#platform/text/solve-work.ts";
import { startTestSmtp, type TestSmtp } from "#accounts/testing/smtp.ts";
import { type Attack, isWait, type Stage } from "../attack.ts";
import { type Answer, inParallel, json, send, type Sent } from "../requests.ts";
import type { RunningServer } from "../server-process.ts";

const FORM = { "content-type": "application/x-www-form-urlencoded" };
const START: Sent = {
  method: "POST",
  path: "/oauth/device_authorization",
  headers: FORM,
  body: "client_id=millrace-cli&client_name=millrace&machine=build-1&system=Linux",
};
const VICTIM = "ada@acme.example";
const NEWCOMER = "2001:db8:ffff::1";
/** For one network of 48 bits: 16 clients' worth of 20 logins. */
const MOST_OF_SITE = 320;
/** Mails that strangers may request for one address in an hour. */
const MOST_MAILS = 20;
const FREE_MAILS = 3;

export const signInFloods: Attack = {
  item: 31,
  name: "floods at the sign-in",
  bound:
    "Whatever networks strangers have, others log the CLI in, get their mail and use their links; work counts once, for who was asked.",
  async run(stage) {
    const smtp = await startTestSmtp();
    try {
      const server = await stage.server({
        env: {
          TRUSTED_PROXIES: "127.0.0.1",
          MILLRACE_OWNER_TOKEN: undefined,
          MILLRACE_SMTP_URL: smtp.url,
          MILLRACE_MAIL_FROM: "millrace@acme.example",
        },
      });
      const cookies = await links(stage, server, smtp);
      await mails(stage, server, { smtp, cookies });
      await logins(stage, server);
      await forgeries(stage, server);
    } finally {
      agent.destroy();
      await smtp.close();
    }
  },
};

const agent = new Agent({ keepAlive: true });

/** As a client of any network. */
const ask = (server: RunningServer, from: string, { headers, ...sent }: Sent): Promise<Answer> =>
  send(server.port, { agent, ...sent, headers: { ...headers, "x-forwarded-for": from } });

const bodyOf = ({ body }: Answer) => JSON.parse(body.toString() || "{}") as { work?: AskedWork };
const workIn = (answer: Answer): AskedWork => {
  const { work } = bodyOf(answer);
  if (work) return work;
  throw new Error(`No work is asked: ${answer.status} ${answer.body.toString().slice(0, 200)}`);
};
const withWork = (sent: Sent, work: string): Sent => ({
  ...sent,
  headers: { ...sent.headers, "millrace-work": work },
});
const counted = (answers: readonly Answer[], wanted: number) =>
  answers.filter(({ status }) => status === wanted).length;

/** @returns the cookies of the browser of the person at `VICTIM` after it has signed out */
async function links(stage: Stage, server: RunningServer, smtp: TestSmtp): Promise<Map<string, string>> {
  const from = "198.51.100.7";
  const guess = (at: number) =>
    ask(server, from, json(`/auth/start/${String(at).padStart(4, "0")}-2MXR-9KTD`, {}));
  const wrong = await inParallel(200, 8, guess);
  stage.check(counted(wrong, 429) > 0, "200 guessed links of one address were all looked at");
  const [, key = ""] = /\/app\/start\/(\S+)/.exec(server.output()) ?? [];
  const jar = new Map<string, string>();
  const owner = { organization: "acme", name: "ada", mail: VICTIM };
  const right = await browse(server, jar, from, json(`/auth/start/${key}`, owner));
  stage.check(right.status === 200, `beside guesses of its address a right link got ${right.status}`);
  await useMail(stage, server, { jar, from, mail: await smtp.take(0) });
  await browse(server, jar, from, json("/auth/sign-out", {}));
  stage.report("a right link beside 200 guesses", `${right.status}`);
  return jar;
}

async function mails(
  stage: Stage,
  server: RunningServer,
  { smtp, cookies }: { smtp: TestSmtp; cookies: Map<string, string> },
): Promise<void> {
  const before = smtp.mails.length;
  const request = (mail: string) => json("/auth/mail", { mail });
  const flood = (mail: string) => inParallel(60, 1, (at) => ask(server, `203.0.${at}.9`, request(mail)));
  const [known, unknown] = [await flood(VICTIM), await flood("nobody@acme.example")];
  const told = (answers: Answer[]) =>
    answers.map((answer) => `${answer.status} ${answer.status === 429 ? workIn(answer).bits : ""}`).join();
  stage.check(
    told(known) === told(unknown),
    "strangers learn from the work whether an address has an account",
  );
  stage.check(counted(known, 200) === FREE_MAILS, `strangers got ${counted(known, 200)} mails without work`);
  stage.check(
    known.every(({ status, headers }) => status === 200 || isWait(headers["retry-after"])),
    "429 without Retry-After",
  );
  // Work for three more.
  for (let at = 100; at < 103; at += 1) {
    const work = await solveWork(workIn(await ask(server, `203.0.${at}.9`, request(VICTIM))));
    const worked = await ask(server, `203.0.${at}.9`, withWork(request(VICTIM), work));
    const { status } = worked;
    stage.check(
      status === 200,
      `who has worked for a mail got ${status} ${worked.body.toString().slice(0, 300)}`,
    );
  }
  const asked = await browse(server, cookies, "192.0.2.44", request(VICTIM));
  stage.check(asked.status === 200, `the victim's own browser got ${asked.status}`);
  const mail = await smtp.take(before + FREE_MAILS + 3);
  await useMail(stage, server, { jar: cookies, from: "192.0.2.44", mail });
  stage.check(
    smtp.mails.length - before <= MOST_MAILS,
    `${smtp.mails.length - before} mails for one address`,
  );
  stage.report(
    "a victim's mail, asked for by 63 networks",
    `${FREE_MAILS} without work, 3 with it, then the victim's`,
  );
}

async function logins(stage: Stage, server: RunningServer): Promise<void> {
  const flood = (count: number, address: (at: number) => string) =>
    inParallel(count, 8, (at) => ask(server, address(at), START));
  const newcomer = async (where: string, from: string) => {
    const first = await ask(server, from, START);
    if (first.status === 200) return stage.report(`a login beside ${where}`, "200");
    const work = workIn(first);
    const { status } = await ask(server, from, withWork(START, await solveWork(work)));
    stage.check(status === 200, `a login beside ${where} got ${status} after its work`);
    return stage.report(`a login beside ${where}`, `${status} after work of ${work.bits} bits`);
  };
  const few = await flood(34 * (stage.isShort ? 22 : 30), (at) => `198.18.${at % 34}.1`);
  stage.check(counted(few, 200) <= 34 * 20, `34 addresses have ${counted(few, 200)} logins waiting`);
  await newcomer("34 addresses", NEWCOMER);
  const site = await flood(stage.isShort ? 600 : 20_000, (at) => `2001:db8:7:${at.toString(16)}::1`);
  const got = counted(site, 200);
  stage.check(got <= MOST_OF_SITE, `a network of 48 bits has ${got} logins waiting`);
  await newcomer("a network of 48 bits", "2001:db8:ffff:1::1");
  if (stage.isShort) return;
  // Half of all places, so that every client has to work.
  const { result, figure } = await stage.measure(server, "16 networks of 48 bits", () =>
    flood(16 * 340, (at) => `2001:db8:${(0x100 + (at % 16)).toString(16)}:${((at >> 4) % 17) * 256}::1`),
  );
  stage.report(
    "16 networks of 48 bits",
    `${counted(result, 200)} × 200, ${counted(result, 429)} × 429`,
    figure,
  );
  await newcomer("16 networks of 48 bits", "2001:db8:ffff:2::1");
}

/** Everything but work that was done once, by the client that was asked for it. */
async function forgeries(stage: Stage, server: RunningServer): Promise<void> {
  const from = "2001:db8:ffff:3::1";
  // Uses its share up, so that work is required.
  await inParallel(25, 1, () => ask(server, from, START));
  const work = workIn(await ask(server, from, START));
  const { challenge, bits } = work;
  const [payload = "", mac = ""] = challenge.split(".");
  const easier = Buffer.from(payload, "base64url").toString().replace(`"bits":${bits}`, '"bits":0');
  const later = Buffer.from(payload, "base64url")
    .toString()
    .replace(/"e":(\d)/, '"e":9$1');
  const encoded = (text: string) => Buffer.from(text).toString("base64url");
  const right = await solveWork(work);
  const mail = json("/auth/mail", { mail: "somebody@acme.example" });
  // Also uses up its share of mails, so that this requires work.
  await inParallel(12, 1, () => ask(server, from, mail));
  const attempts: [name: string, from: string, sent: Sent][] = [
    ["a wrong answer", from, withWork(START, `${challenge}:1`)],
    ["an easier challenge", from, withWork(START, `${encoded(easier)}.${mac}:0`)],
    ["a longer challenge", from, withWork(START, right.replace(payload, encoded(later)))],
    ["a forged challenge", from, withWork(START, `${payload}.${"A".repeat(mac.length)}:0`)],
    ["work for something else", from, withWork(mail, right)],
    ["no work", from, withWork(START, "x".repeat(8000))],
  ];
  for (const [name, address, sent] of attempts) {
    const { status } = await ask(server, address, sent);
    stage.check(status === 429, `${name}: ${status}`);
  }
  const other = "2001:db8:ffff:4::1";
  await inParallel(25, 1, () => ask(server, other, START));
  const stolen = await ask(server, other, withWork(START, right));
  stage.check(stolen.status === 429, `work of another network: ${stolen.status}`);
  const used = await ask(server, from, withWork(START, right));
  stage.check(used.status === 200, `work that is right: ${used.status}`);
  const replayed = await inParallel(8, 8, () => ask(server, from, withWork(START, right)));
  stage.check(counted(replayed, 200) === 0, "work was used twice");
  stage.report("work that is forged, stolen or used twice", `${attempts.length + 9} × 429`);
}

/** A request of a browser, which keeps its cookies. */
async function browse(
  server: RunningServer,
  jar: Map<string, string>,
  from: string,
  sent: Sent,
): Promise<Answer> {
  const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join("; ");
  const answer = await ask(server, from, { ...sent, headers: { ...sent.headers, cookie } });
  for (const [, name = "", value = ""] of (answer.headers["set-cookie"] ?? "").matchAll(
    /(millrace-\w+)=([^;,]*)/g,
  ))
    if (value === "") jar.delete(name);
    else jar.set(name, value);
  return answer;
}

async function useMail(
  stage: Stage,
  server: RunningServer,
  { jar, from, mail }: { jar: Map<string, string>; from: string; mail: { text: string } },
): Promise<void> {
  const text = mail.text.replaceAll("=\n", "").replaceAll("=\r\n", "");
  const [, key = ""] = /\/app\/mail\/([0-9A-Z-]{14})/.exec(text) ?? [];
  const { status } = await browse(server, jar, from, json(`/auth/mail/${key}`, {}));
  stage.check(status === 200, `the link of a mail got ${status} in the browser that asked for it`);
}
