/** The server answers the real client: react-instantsearch with @meilisearch/instant-meilisearch, in the browser. */
import { fileURLToPath } from "node:url";
import { build } from "rolldown";
import { expect, origin, test as base } from "./fixtures.ts";

async function bundleApp(): Promise<string> {
  const { output } = await build({
    input: fileURLToPath(new URL("../fixtures/instantsearch-app.tsx", import.meta.url)),
    platform: "browser",
    write: false,
    transform: { define: { "process.env.NODE_ENV": '"production"' } },
    output: { format: "iife", codeSplitting: false },
  });
  return output[0].code;
}

let bundled: Promise<string> | undefined;

const test = base.extend<{ app: void }>({
  app: [
    async ({ page }, use) => {
      const bundle = await (bundled ??= bundleApp());
      await page.route(`${origin}/official-client`, (route) =>
        route.fulfill({
          contentType: "text/html",
          body: `<!doctype html><meta charset="utf-8"><div id="app"></div><script>${bundle.replaceAll("</script", "<\\/script")}</script>`,
        }),
      );
      await page.goto("/official-client");
      await use();
    },
    { auto: true },
  ],
});

test("an empty query lists ten hits, a query highlights its words", async ({ page }) => {
  await expect(page.locator(".ais-Hits-item")).toHaveCount(10);
  await page.getByPlaceholder("Ask").fill("registry");
  await expect(page.locator(".ais-Hits-item mark").first()).toHaveText(/registry/i);
  await expect(page.getByRole("status").or(page.locator("output"))).toHaveText("idle");
});

test("pages do not repeat hits", async ({ page }) => {
  await page.getByPlaceholder("Ask").fill("build");
  await expect(page.locator(".ais-Hits-item mark").first()).toBeVisible();
  const answer = page.waitForResponse((response) =>
    /"(?:offset|page)":1/.test(response.request().postData() ?? ""),
  );
  await page.getByRole("link", { name: /^(Page )?2$/ }).click();
  const { results } = (await (await answer).json()) as { results: { offset: number; hits: unknown[] }[] };
  expect(results[0]?.offset).toBe(10);
  expect(results[0]?.hits.length).toBeGreaterThan(0);
});

test("refining by section and searching its values narrows the hits", async ({ page }) => {
  await page.getByPlaceholder("Section").fill("regi");
  const registry = page.locator(".ais-RefinementList-label", { hasText: "Registry" });
  await expect(registry).toBeVisible();
  // Not the answer for the letters typed above, which may still be under way.
  const answer = page.waitForResponse(
    (response) => response.request().postData()?.includes("Registry") ?? false,
  );
  await registry.click();
  const { results } = (await (await answer).json()) as { results: { hits: { hierarchy_lvl0: string }[] }[] };
  const sections = new Set(results[0]?.hits.map((hit) => hit.hierarchy_lvl0));
  expect([...sections]).toEqual(["Registry"]);
});
