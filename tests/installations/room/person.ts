/** A person with a browser that is in a room's network, and has a passkey. */
import { createHash, X509Certificate } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { chromium } from "@playwright/test";
import { findBrowsers } from "../../../scripts/checks/browser.ts";
import { addVirtualAuthenticator } from "../../virtual-authenticator.ts";
import type { Room } from "./room.ts";

export interface Person {
  /** Opens the link that a first start prints, and becomes the owner ada of acme. */
  becomeOwner: (link: string) => Promise<void>;
  /** Types the code that `millrace login` shows. */
  approve: (code: string) => Promise<void>;
  /** The text of a page. */
  read: (path: string) => Promise<string>;
  close: () => Promise<void>;
}

export interface PersonOptions {
  room: Room;
  origin: string;
  /** The address of the origin's host, unless it is this very machine. */
  address?: string;
  /** PEM of a certificate that an operator would make every machine trust. */
  certificate?: string;
}

export async function openPerson({ room, origin, address, certificate }: PersonOptions): Promise<Person> {
  const folder = mkdtempSync(join(tmpdir(), "person-"));
  const program = join(folder, "browser");
  const enter = `nsenter --net=/proc/${room.pid()}/ns/net`;
  writeFileSync(program, `#!/bin/sh\nexec ${enter} "${findBrowsers().shell}" "$@"\n`, { mode: 0o755 });
  const args = ["--no-sandbox"];
  if (address) args.push(`--host-resolver-rules=MAP ${new URL(origin).hostname} ${address}`);
  if (certificate) args.push(`--ignore-certificate-errors-spki-list=${fingerprint(certificate)}`);
  const browser = await chromium.launch({ executablePath: program, args });
  const page = await browser.newPage();
  page.setDefaultTimeout(120_000);
  await addVirtualAuthenticator(page);
  return {
    async becomeOwner(link) {
      await page.goto(link);
      await page.getByLabel("Organization").fill("acme");
      await page.getByLabel("Your name").fill("ada");
      await page.getByRole("button", { name: "Create with a passkey" }).click();
      await page.getByRole("button", { name: "ada, your account" }).waitFor();
    },
    async approve(code) {
      await page.goto(`${origin}/device`);
      await page.getByLabel("Code").fill(code);
      await page.getByRole("button", { name: "Continue" }).click();
      await page.getByRole("button", { name: "Log in this machine" }).click();
      await page.getByText("Logged in").or(page.getByText("logged in")).first().waitFor();
    },
    async read(path) {
      await page.goto(`${origin}${path}`);
      return page.getByRole("main").innerText();
    },
    async close() {
      await browser.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Fingerprint of a certificate's key, in the form of Chromium's option. */
function fingerprint(certificate: string): string {
  const key = new X509Certificate(certificate).publicKey.export({ type: "spki", format: "der" });
  return createHash("sha256").update(key).digest("base64");
}
