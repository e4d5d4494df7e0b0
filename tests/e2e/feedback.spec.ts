/**
 * 1. The reader is thanked for an answer that was stored.
 * 2. If it was not stored, the form says so and why, keeps the text, and succeeds when sent again.
 */
import type { Route } from "@playwright/test";
import { expect, test } from "./fixtures.ts";

// The browser itself writes this line for each failed request; it cannot be suppressed.
test.use({ expectedErrors: /^Failed to load resource/ });

const failures: [name: string, fail: (route: Route) => Promise<void>, words: string][] = [
  ["a full disk", (route) => route.fulfill({ status: 507 }), "Not saved: the server has no space left."],
  ["another failure", (route) => route.fulfill({ status: 503 }), "Not saved: the server could not store it."],
  ["a flood", (route) => route.fulfill({ status: 429 }), "Not saved: too many answers at the moment."],
  ["no connection", (route) => route.abort(), "Not sent: the server could not be reached."],
];

for (const [name, fail, words] of failures)
  test(`(1, 2) ${name}`, async ({ docs, page }) => {
    await page.route("/feedback", fail);
    await docs.openHydrated("/docs/faq");
    const form = page.getByRole("region", { name: "Was this page helpful?" });
    await form.getByRole("button", { name: "No" }).click();
    const text = form.getByRole("textbox", { name: "What was missing?" });
    await text.fill("How do I mirror a registry?");
    await form.getByRole("button", { name: "Send" }).click();
    await expect(form.getByText(words)).toBeVisible();
    await expect(text).toHaveValue("How do I mirror a registry?");

    await page.unroute("/feedback", fail);
    const sent = page.waitForRequest("/feedback");
    await form.getByRole("button", { name: "Try again" }).click();
    expect((await sent).postDataJSON()).toEqual({
      path: "/docs/faq",
      answer: "no",
      text: "How do I mirror a registry?",
    });
    await expect(form.getByText("Thanks. We read every answer.")).toBeVisible();
  });
