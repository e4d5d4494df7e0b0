/**
 * Other commands of the server's program, on both kinds of database:
 * 1. While a server runs, without its lock, `owner-link` prints a link that works once; the previous link is void.
 * 2. A name or a mail address finds its person; otherwise the message names the owners. `two-step-off` turns a person's second
 *    step off, and their next sign-in does not ask for it. Both notify the person by mail if mail is configured, and work even if
 *    it cannot be sent.
 * 3. Without records there is a message, and nothing is created.
 * 4. An unknown command is reported; the server does not start.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { openTestBrowser } from "#accounts/testing/browser.ts";
import { startTestSmtp } from "#accounts/testing/smtp.ts";
import { setUpApp } from "#accounts/testing/two-step.ts";
import { openDataFolder } from "#platform/locks/data-folder.ts";
import { openTestDatabase, testDatabaseKinds } from "#platform/testing/database.ts";
import { root } from "../pages/build-folders.ts";
import { parseEnvironment } from "../environment.ts";
import { openRecordRooms } from "../testing/records.ts";
import { createTestLog } from "../testing/log.ts";

async function run(args: string[], env: NodeJS.ProcessEnv) {
  const child = spawn(
    process.execPath,
    ["--disable-warning=ExperimentalWarning", "src/server/main.ts", ...args],
    { cwd: root, env: { ...process.env, ...env }, stdio: ["ignore", "pipe", "pipe"] },
  );
  let output = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk) => (output += String(chunk)));
  const [code] = (await once(child, "close")) as [number | null];
  return { code, output };
}

const keyIn = (text: string) => /\/app\/start\/([0-9A-Z-]{14})$/m.exec(text)?.[1] ?? "";

describe.each(testDatabaseKinds)("%s", (kind) => {
  async function openPlace() {
    const place = await openTestDatabase(kind);
    const DATA_DIR = mkdtempSync(join(tmpdir(), "commands-"));
    const env = "url" in place.at ? { DATA_DIR, MILLRACE_DATABASE_URL: place.at.url } : { DATA_DIR };
    return { env: { ...env, SITE_ORIGIN: "http://localhost:3000" }, remove: place.remove };
  }

  test("1. and 2. links", { timeout: 120_000 }, async () => {
    const { env, remove } = await openPlace();
    const folder = openDataFolder(env.DATA_DIR, "here");
    const { accounts, app, rooms, close } = await openRecordRooms(parseEnvironment(env), {
      log: createTestLog().log,
    });
    const people = app("accounts");
    const greet = () => rooms.find(({ name }) => name === "accounts")!.greet();
    const ask = async (key: string, body?: object) => {
      const init = {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify(body),
      };
      const answer = await people.request(`/auth/start/${key}`, body && init);
      return { status: answer.status, ...((await answer.json()) as { state?: string }) };
    };
    const printed = keyIn((await greet()) ?? "");
    const made = await run(["owner-link"], env);
    expect(made).toEqual({ code: 0, output: expect.stringContaining("it creates the first owner:") });
    expect(await ask(printed)).toMatchObject({ state: expect.not.stringMatching("first") });
    expect(await ask(keyIn(made.output))).toMatchObject({ state: "first" });
    const owner = { organization: "acme", name: "Ada", mail: "ada@acme.example" };
    expect(await ask(keyIn(made.output), owner)).toMatchObject({ status: 200 });
    expect(await greet()).toBeNull();

    for (const who of [[], ["ada"], ["ADA@acme.example"]]) {
      const { code, output } = await run(["owner-link", ...who], env);
      expect([code, output]).toEqual([0, expect.stringContaining("it signs Ada in:")]);
      expect(await ask(keyIn(output), {})).toMatchObject({ status: 200 });
      expect(await ask(keyIn(output))).toMatchObject({ state: "used" });
    }
    expect(await run(["owner-link", "eve"], env)).toEqual({
      code: 1,
      output: 'no owner is called "eve"; owners are Ada (ada@acme.example).\n',
    });
    expect(await run(["two-step-off", "ada@acme.example"], env)).toEqual({
      code: 1,
      output: "two-step sign-in of Ada is not on.\n",
    });
    const browser = openTestBrowser(people, env.SITE_ORIGIN);
    const link = async () => `/auth/start/${keyIn((await run(["owner-link"], env)).output)}`;
    await browser.post(await link(), {});
    await setUpApp({ time: { now: Date.now() } }, browser);
    const enter = async () => {
      const answer = await openTestBrowser(people, env.SITE_ORIGIN).post(await link(), {});
      return answer.body["next"];
    };
    expect(await enter()).toBe("/app/second-step?next=%2Fapp");
    const smtp = await startTestSmtp();
    const mailed = { ...env, MILLRACE_SMTP_URL: smtp.url, MILLRACE_MAIL_FROM: "millrace@acme.example" };
    // People who have just joined are not notified.
    const known = { created_at: 0, mail_verified_at: Date.now() };
    await accounts.db.updateTable("users").set(known).execute();
    expect((await run(["owner-link", "ada"], mailed)).code).toBe(0);
    expect(smtp.mails).toEqual([
      expect.objectContaining({
        to: ["ada@acme.example"],
        text: expect.stringMatching(/A sign-in link was created by whoever runs this server\./),
      }),
    ]);
    const off = await run(["two-step-off", "Ada"], mailed);
    expect([off.code, off.output]).toEqual([0, expect.stringContaining("Two-step sign-in of Ada is off.")]);
    expect(smtp.mails[1]?.text).toMatch(/Two-step sign-in was turned off by whoever runs this server\./);
    expect(await enter()).toBe("/app");
    await smtp.close();
    const unsent = await run(["owner-link", "ada"], mailed);
    expect([unsent.code, keyIn(unsent.output)]).toEqual([0, expect.stringMatching(/./)]);
    expect(unsent.output).toContain("about a change of an account could not be sent");
    await close();
    folder.close();
    await remove();
  });

  test("3. no records", async () => {
    const { env, remove } = await openPlace();
    const { code, output } = await run(["owner-link"], env);
    expect([code, output]).toEqual([
      1,
      expect.stringMatching(/^There are no accounts in .+ yet: start the server once/),
    ]);
    expect(existsSync(join(env.DATA_DIR, "secret.key"))).toBe(false);
    expect(existsSync(join(env.DATA_DIR, "millrace.db"))).toBe(false);
    await remove();
  });
});

test("4. an unknown command", async () => {
  const DATA_DIR = join(mkdtempSync(join(tmpdir(), "commands-")), "none");
  const { code, output } = await run(["owner-links", "ada"], { DATA_DIR });
  expect([code, output]).toEqual([1, expect.stringMatching(/^There is no command "owner-links ada"\./)]);
  expect(existsSync(DATA_DIR)).toBe(false);
});
