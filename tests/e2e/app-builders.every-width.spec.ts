/**
 * The screen of builders, on acme's server, with answers of a machine that lacks something.
 * 1. By the rail or by a key: missing parts come first, with the command for an operator, who copies it; a part that is
 *    added is ticked without a reload, and R checks again.
 * 2. A member sees states and whom to ask, but no command.
 * 3. Machines with the builders on them; layer caches of 20 projects, whose reset asks for the name.
 * 4. On the checklist the step of the first build says the same.
 * 5. A server that fails, and a cluster without machines.
 */
import type { Page } from "@playwright/test";
import { type Acme, askEverything, expect, PROJECTS, test } from "./acme.ts";
import { expectAccessible } from "./axe.ts";
import { overflowOf } from "./overflow.ts";

test.use({ expectedErrors: /Failed to load resource/ });

const lost =
  "Builders cannot run on this server yet: runc, slirp4netns and BuildKit 0.33 or newer are missing.";
const command = "npm start -- setup-builders";
const ready = { name: "Images for linux/amd64", state: "ready", lost: "", command: "", machine: "build-1" };
const missing = { ...ready, state: "missing", lost, command };
const limited = {
  ...ready,
  name: "Images for linux/arm64",
  state: "limited",
  lost: "By emulation only: several times slower than on a machine of that architecture.",
};
const builder = (project_id: string, cpus: number, is_warm = false) => ({
  project_id,
  cpus,
  is_warm,
  platform: "linux/amd64",
});
const machines = [
  {
    name: "build-1",
    is_here: true,
    heard_at: new Date().toISOString(),
    platforms: ["linux/amd64", "linux/386"],
    cpus: 32,
    memory_bytes: String(128e9),
    free_bytes: String(412e9),
    builders: [
      builder(PROJECTS.web, 8),
      builder(PROJECTS.worker, 4),
      builder(PROJECTS.api, 4, true),
      builder("", 4),
    ],
  },
  {
    name: "build-2",
    is_here: false,
    heard_at: new Date().toISOString(),
    platforms: ["linux/arm64"],
    cpus: 16,
    memory_bytes: String(64e9),
    free_bytes: String(90e9),
    builders: [builder(PROJECTS.web, 8)],
  },
];

interface Answer {
  capabilities: readonly object[];
  machines: readonly object[];
}

/** Answers instead of the server; the returned function changes the answer from then on. */
async function answerWith(page: Page, first: Answer): Promise<(next: Answer) => void> {
  let answer = first;
  await askEverything(page);
  await page.route("**/millrace.v1.BuilderService/ListCapabilities", (route) =>
    route.fulfill({ json: answer }),
  );
  return (next) => (answer = next);
}

/** 20 projects, most of them with layer caches. */
async function fillCaches(page: Page, acme: Acme) {
  acme.fill((records) => {
    const [web] = records["projects"] ?? [];
    const more = Array.from({ length: 17 }, (_, at) => ({
      ...web,
      id: `prj_more${String(at).padStart(6, "0")}`,
      name: `service-${at}`,
    }));
    return { ...records, projects: [...(records["projects"] ?? []), ...more] };
  });
  const cache = (size: number) => ({
    platform: "linux/amd64",
    size_bytes: String(size),
    quota_bytes: String(50e9),
    layers: "42",
  });
  const projects = [...Object.values(PROJECTS), "prj_more000003", "prj_more000007"].map((project_id, at) => ({
    project_id,
    caches: [cache(18.4e9 / (at + 1))],
  }));
  await page.route("**/millrace.v1.BuilderService/ListLayerCaches", (route) =>
    route.fulfill({ json: { projects } }),
  );
}

const line = (page: Page, name: string) => page.locator(".capability").filter({ hasText: name });
const title = (page: Page) => page.getByRole("heading", { level: 1 });

test("1. and 3. an operator", async ({ acme, page, isMobile }) => {
  const change = await answerWith(page, { capabilities: [limited, missing], machines });
  await fillCaches(page, acme);
  await page.goto(acme.at("runners/builders"));
  await expect(title(page)).toHaveText("Builders");
  await expect(page.locator(".capability").first()).toContainText(lost);
  await expect(page.locator(".capability").first().locator("code")).toContainText(command);
  await expect(page.getByText("2 machines, 24 of 48 CPUs at work")).toBeVisible();
  await expect(page.getByText("another project")).toHaveCount(1);
  await expect(page.getByText("20 projects, 42 GB")).toBeVisible();
  await expectAccessible(page, { withColours: !isMobile });
  await expect.poll(() => overflowOf(page)).toBeLessThanOrEqual(0);

  change({ capabilities: [limited, ready], machines });
  await page.keyboard.press("r");
  await expect(line(page, "Images for linux/amd64")).toContainText("Ready");
  await expect(line(page, "Images for linux/arm64")).toContainText("Limited");

  const web = page.getByRole("button", { name: "Reset the layer cache of web" });
  await web.click();
  const dialog = page.getByRole("alertdialog");
  await expect(dialog).toContainText("Reset the layer cache of web?");
  await dialog.getByRole("textbox").fill("web");
  await expect(dialog.getByRole("button", { name: /^Reset 18.4 GB/ })).toBeEnabled();
  await page.keyboard.press("Escape");
  await expect(dialog).toHaveCount(0);
});

test.describe("someone else", () => {
  test.use({ as: "ben" });
  test("2. a member", { tag: "@one-width" }, async ({ acme, page }) => {
    await answerWith(page, { capabilities: [{ ...missing, command: "" }], machines });
    await page.goto(acme.at("runners/builders"));
    await expect(line(page, "Images for linux/amd64")).toContainText("Ask whoever operates this server.");
    await expect(page.getByText(command)).toHaveCount(0);
  });
});

test("4. the checklist", async ({ acme, page }) => {
  await answerWith(page, {
    capabilities: [missing, { ...ready, name: "buildx for command-line tools" }],
    machines,
  });
  acme.fill((records) => ({ ...records, builds: [] }));
  await page.goto(acme.at("?checklist=1"));
  const step = page.getByRole("listitem").filter({ hasText: "Build an image" });
  await expect(step).toContainText(lost);
  await expect(step).toContainText(command);
  await step.getByRole("link", { name: "What can run here" }).click();
  await expect(title(page)).toHaveText("Builders");
});

test("5. a server that fails, and a cluster", { tag: "@one-width" }, async ({ acme, page }) => {
  await answerWith(page, { capabilities: [{ ...ready, machine: "" }], machines: [] });
  await page.goto(acme.at("runners/builders"));
  await expect(line(page, "Images for linux/amd64")).toContainText("Ready");
  await expect(page.getByRole("heading", { name: "Machines" })).toHaveCount(0);
  await page.unrouteAll();
  await page.route("**/millrace.v1.BuilderService/*", (route) =>
    route.fulfill({ status: 503, json: { code: "unavailable", message: "The database is unreachable." } }),
  );
  await page.reload();
  await expect(page.getByRole("alert").filter({ hasText: "What can run here cannot be read" })).toBeVisible();
  await expect(
    page.getByRole("alert").filter({ hasText: "Layer caches by project cannot be read" }),
  ).toBeVisible();
});
