/**
 * The community chat, in a site whose configuration names one, against a local stand-in of the chat's public endpoint:
 * 1. header, menu of the phone and the home page's band have the link and, once it is known, the number;
 * 2. while the endpoint is silent, pages are served at once, with the link and without a number;
 * 3. and the server warns at its start that customers and partners are samples, once for each, and names what
 *    `site.config.ts` leaves open.
 */
import { spawn, type ChildProcess } from "node:child_process";
import { readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { expect, test } from "@playwright/test";
import { copyRepository } from "../../scripts/steps/copy-repository.ts";
import { cacheFolder } from "#server/build-folders.ts";

let chat: Server;
let site: ChildProcess;
let address = "";
let copy = "";
let warnings = "";
const waiting: ServerResponse[] = [];

test.describe.configure({ mode: "serial" });

test.beforeAll(async () => {
  test.setTimeout(180_000);
  // Silent until the test lets it speak.
  chat = createServer((_, response) => void waiting.push(response));
  await new Promise<void>((resolve) => chat.listen(0, "127.0.0.1", resolve));
  const { port } = chat.address() as AddressInfo; // it listens on a port
  copy = copyRepository({ withPackages: true });
  // Pages and images that other builds have made already.
  symlinkSync(cacheFolder, join(copy, ".cache"));
  const file = join(copy, "site.config.ts");
  const community = `{ label: "Community chat", link: "https://chat.example/", countUrl: "http://127.0.0.1:${port}/invite" }`;
  writeFileSync(file, readFileSync(file, "utf8").replace("community: null", `community: ${community}`));
  address = await start(copy);
});

test.afterAll(() => {
  site.kill();
  chat.closeAllConnections();
  chat.close();
  rmSync(copy, { recursive: true, force: true });
});

/** Builds and starts the copy on a free port. @returns its address. */
async function start(folder: string): Promise<string> {
  const port = await freePort();
  const script = join(folder, "scripts/start.ts");
  site = spawn(process.execPath, ["--disable-warning=ExperimentalWarning", script], {
    cwd: folder,
    env: {
      ...process.env,
      PORT: String(port),
      HOST: "localhost",
      DATA_DIR: join(folder, "data"),
      BUILD_DIR: "build",
    },
    stdio: ["ignore", "pipe", "pipe"],
  });
  site.stderr?.on("data", (chunk: Buffer) => (warnings += chunk.toString()));
  return new Promise((resolve, reject) => {
    site.once("exit", (code) => reject(new Error(`The site ended with ${code}: ${warnings}`)));
    site.stdout?.on("data", (chunk: Buffer) => {
      const found = /is at (http:\S+)/.exec(chunk.toString());
      if (found) resolve(found[1] ?? "");
    });
  });
}

function freePort(): Promise<number> {
  const probe = createServer();
  return new Promise((resolve) => {
    probe.listen(0, "localhost", () => {
      const { port } = probe.address() as AddressInfo; // it listens on a port
      probe.close(() => resolve(port));
    });
  });
}

test("3. the start names the samples and the file to edit", async () => {
  await expect
    .poll(() => warnings.match(/^ {2}The home page shows sample .*$/gm))
    .toEqual([
      expect.stringMatching(/sample customers\. .*content\/marketing\/home\.yaml/),
      expect.stringMatching(/sample partners\. .*content\/marketing\/home\.yaml/),
    ]);
  await expect.poll(() => warnings).toMatch(/^ {2}site\.config\.ts: .*`trust\.securityContact`/m);
  // This one has a chat.
  expect(warnings).not.toContain("`community`");
});

test("1, 2. the first page comes while the endpoint is silent; then the number is in header, band and menu", async ({
  page,
}) => {
  const first = await (await page.request.get(address)).text();
  expect(first).toContain("Community chat");
  expect(first).not.toContain("online</span>");
  await expect.poll(() => waiting.length).toBe(1);
  waiting[0]?.end(JSON.stringify({ approximate_presence_count: 1217 }));
  await expect.poll(async () => (await page.request.get(address)).text()).toContain("1,217 online");
  await page.goto(address);
  const chatLink = { name: "Community chat 1,217 online" };
  const inHeader = page.getByRole("banner").getByRole("link", chatLink);
  await expect(inHeader).toBeVisible();
  await expect(inHeader).toHaveAttribute("href", "https://chat.example/");
  await expect(page.getByRole("main").getByRole("link", chatLink)).toBeVisible();

  await page.setViewportSize({ width: 390, height: 844 });
  await expect(inHeader).toBeHidden();
  await page.getByRole("button", { name: "Open menu" }).click();
  await expect(
    page.getByRole("navigation", { name: "Main", exact: true }).getByRole("link", chatLink),
  ).toBeVisible();
  await page.getByRole("button", { name: "Close menu" }).click();
  await expect(page.getByRole("main").getByRole("link", chatLink)).toBeVisible();
});
