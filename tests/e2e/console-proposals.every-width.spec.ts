/**
 * Proposals for searches in vain.
 * 1. A row names its best proposal; the review shows all of them with their evidence, what a choice would do to past searches, and
 *    the change: written, or a patch to copy. 2. A page to write is a command. 3. The work can be cancelled, and a refusal is
 *    shown; nothing of an earlier choice stays. 4. Readers' words are text, whatever they contain.
 */
import type { SearchActionResult } from "#telemetry/index.ts";
import {
  effect,
  filledReports,
  hostileReports,
  hostileTexts,
} from "../fixtures/telemetry/console-reports.ts";
import { expect, test } from "./console.ts";

const patch =
  "--- a/content/synonyms.yaml\n+++ b/content/synonyms.yaml\n@@ -1,2 +1,3 @@\n - [gha, github actions]\n+- [kubernets, kubernetes]\n";
const result: SearchActionResult = { file: "content/synonyms.yaml", isWritten: false, patch };

test("1. the effect on past searches, and the change", async ({ operator, page }) => {
  await operator.open("/proposals", { ...filledReports, "searches/actions": result });
  await page.getByRole("button", { name: "Review… the proposal for kubernets" }).click();
  const dialog = page.getByRole("dialog", { name: "Review the proposal" });
  await expect(dialog).toContainText("was searched 40 times, also as “Kubernets!”. It found nothing.");
  await expect(dialog.getByRole("radio", { name: /^Synonym: kubernets, kubernetes/ })).toBeChecked();
  await expect(dialog).toContainText("7 readers then searched for “kubernetes” and opened a hit.");
  await dialog.getByRole("button", { name: "Try on past searches" }).click();
  const shown = dialog.getByRole("region", { name: "Effect on past searches" });
  await expect(shown).toContainText(
    "10,000 different past searches were made again, the most frequent of 12,000.",
  );
  await expect(shown).toContainText("1 of 104 that find nothing would find something.");
  await expect(shown).toContainText("60 others would have different first hits.");
  await expect(shown.getByText("1. Registry › Kubernetes").first()).toBeVisible();
  await shown.getByText("Would change: 60 searches, made 900 times").click();
  await expect(shown.getByText("1. Self-hosted › Kubernetes")).toBeVisible();
  await expect(shown).toContainText("And 59 less frequent searches.");
  await expect.poll(() => operator.overflow()).toBeLessThanOrEqual(0);
  await operator.expectAccessible();
  const sent = page.waitForRequest("**/console/api/searches/actions");
  await dialog.getByRole("button", { name: "Accept" }).click();
  expect((await sent).postDataJSON()).toEqual({ kind: "synonym", words: ["kubernets", "kubernetes"] });
  await expect(dialog).toContainText("A patch for content/synonyms.yaml");
  await expect(dialog.getByRole("button", { name: "Copy the patch" })).toBeVisible();
  await dialog.getByRole("button", { name: "Close" }).last().click();
  await expect(page.getByRole("button", { name: "Review… the proposal for kubernets" })).toBeFocused();
});

test("2, 3. other choices", async ({ operator, page }) => {
  await operator.open("/proposals?do=layer+cache");
  const dialog = page.getByRole("dialog", { name: "Review the proposal" });
  await expect(dialog).toContainText("No one opened a hit.");
  await page.route("**/console/api/searches/effect", () => {});
  await dialog.getByRole("button", { name: "Try on past searches" }).click();
  await expect(dialog).toContainText("Making past searches again...");
  const cancelled = page.waitForEvent("requestfailed", (request) =>
    request.url().includes("searches/effect"),
  );
  await dialog.getByRole("button", { name: "Cancel the search" }).click();
  await cancelled;
  await expect(dialog.getByText("Making past searches again...")).toBeHidden();
  await page.unroute("**/console/api/searches/effect");
  await dialog.getByRole("button", { name: "Try on past searches" }).click();
  await expect(dialog.getByRole("region", { name: "Effect on past searches" })).toBeVisible();
  await dialog.getByRole("radio", { name: /^Write a page: Layer cache/ }).check();
  await expect(dialog.getByRole("region", { name: "Effect on past searches" })).toBeHidden();
  await expect(dialog.getByRole("button", { name: "Accept" })).toBeHidden();
  await expect(dialog).toContainText('npm run new-page -- --type guide --title "Layer cache"');
  await expect(dialog.getByRole("button", { name: "Copy the command" })).toBeVisible();
  await operator.expectAccessible();
});

test.describe("a refusal", () => {
  test.use({ expectedErrors: /status of 400/ });
  test("3. is shown", { tag: "@one-width" }, async ({ operator, page }) => {
    await operator.open("/proposals?do=kubernets");
    const message = "Another change is being tried: try again when it is done.";
    await page.route("**/console/api/searches/effect", (route) =>
      route.fulfill({ status: 400, json: { message } }),
    );
    const dialog = page.getByRole("dialog", { name: "Review the proposal" });
    await dialog.getByRole("button", { name: "Try on past searches" }).click();
    await expect(dialog.getByRole("alert")).toHaveText(message);
    await page.unroute("**/console/api/searches/effect");
    await operator.answerWith({
      ...filledReports,
      "searches/effect": { ...effect, emptyBefore: 0, found: { searches: 0, times: 0, rows: [] } },
    });
    await dialog.getByRole("button", { name: "Try on past searches" }).click();
    await expect(dialog.getByRole("region", { name: "Effect on past searches" })).toContainText(
      "0 of 0 that find nothing would find something.",
    );
    await expect(dialog.getByRole("alert")).toBeHidden();
  });
});

test("4. readers' words", async ({ operator, page }) => {
  await operator.open("/proposals", hostileReports);
  await expect(page.getByRole("rowheader").filter({ hasText: "<script>" })).toHaveCount(1);
  await page.getByRole("button", { name: /^Review… the proposal for <img/ }).click();
  const dialog = page.getByRole("dialog", { name: "Review the proposal" });
  await expect(dialog.getByText(hostileTexts.html.slice(0, 20)).first()).toBeVisible();
  await expect.poll(() => operator.overflow()).toBeLessThanOrEqual(0);
  expect(await page.locator("main img, main script, dialog img, dialog script").count()).toBe(0);
  await operator.expectAccessible();
});
