/**
 * Features that do not run yet say so, where readers meet them:
 * 1. A section of the tree whose part is in preview has a quiet mark. 2. So has the page that the part names, with a link to what
 * exists; the pages below it have none. 3. A block of commands that fails today has a mark; one that works has none, also on
 * a page about something else. 4. Copying takes the commands, not the mark. 5. One page lists every part with its state.
 */
import { readFileSync } from "node:fs";
import { parse } from "yaml";
import { expect, test } from "./fixtures.ts";

// The file is checked against its schema by `npm test -- content`.
const { parts } = parse(readFileSync("content/facts/parts.yaml", "utf8")) as {
  parts: { name: string; state: string; page: string }[];
};
const waiting = parts.filter(({ state }) => state === "preview");

test("1, 2. the tree and the first page of a part say that it is in preview", async ({ page }) => {
  for (const { page: path, name } of waiting) {
    await page.goto(path);
    const mark = page.locator("header.doc-title").getByText("Does not run yet");
    await expect(mark, name).toBeVisible();
    await expect(mark.getByRole("link", { name: "what exists today" })).toHaveAttribute(
      "href",
      "/docs/core-concepts/what-exists",
    );
  }
  const tree = page.getByRole("navigation", { name: "Documentation" });
  await expect(tree.getByRole("button", { name: /Preview/ })).toHaveCount(3);
  // The first page is about all parts.
  const running = parts.filter(({ state, page: path }) => state === "available" && path !== "/docs");
  for (const path of [...running.map((part) => part.page), "/docs/registry/overview/promotion"]) {
    await page.goto(path);
    await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
    await expect(page.getByText("Does not run yet"), path).toHaveCount(0);
  }
});

test("3, 4. commands that fail today are marked, and only those", async ({ docs, page, context }) => {
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await docs.openHydrated("/docs/cli/reference");
  const block = (text: string) => page.locator("figure.code").filter({ hasText: text }).first();
  await expect(block("millrace build --save").getByText("Preview")).toHaveCount(0);
  const waitingBlock = block("$ millrace sessions list");
  await expect(waitingBlock.getByText("Preview")).toBeVisible();
  await waitingBlock.hover();
  await waitingBlock.getByRole("button", { name: "Copy code" }).click();
  const read = () => page.evaluate(() => navigator.clipboard.readText());
  await expect.poll(read).toContain("millrace");
  expect(await read()).not.toContain("Preview");
  await page.goto("/docs/container-builds/how-to-guides/optimal-dockerfiles/node");
  await expect(page.locator("figure.code").first()).toBeVisible();
  await expect(page.locator("figure.code .preview")).toHaveCount(0);
});

test("5. one page lists every part", async ({ page }) => {
  await page.goto("/docs/core-concepts/what-exists");
  for (const { name, state } of parts) {
    const row = page.getByRole("row").filter({ has: page.getByRole("link", { name, exact: true }) });
    await expect(row.getByText("Preview")).toHaveCount(state === "preview" ? 1 : 0);
  }
});
