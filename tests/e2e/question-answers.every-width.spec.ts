/**
 * Answers with citations: the built server, with a model's server on a real port.
 *
 * 1. A question of three words or more gets a button, and says to which host it goes; fewer words do not. The answer appears with
 *    its sources, numbered links to pages of this site, and is announced once it is whole. The button keeps the focus, and stops
 *    the answer, as Escape does; both end the request to the model. axe finds nothing, nothing is wider than the screen.
 * 2. "I do not know" names the nearest pages; a failure says what to do, and the server stays ready; another question begins anew.
 * 3. Elements that the model writes are text.
 * 4. The answer to too many questions says so; the search still works.
 * 5. Without a model, a search has no header, no button, no file and no request of it.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type FakeModel, openFakeModel, sendStream, streamOf } from "#answers/testing/fake-model.ts";
import { expectAccessible } from "./axe.ts";
import { expect, test as base } from "./fixtures.ts";
import { overflowOf } from "./overflow.ts";
import { freePort, startProcess } from "./providers/site-copy.ts";

interface Answering {
  origin: string;
  model: FakeModel;
  close: () => Promise<void>;
}

/** A second server over the same build, whose operator names a model. */
async function openAnswering(): Promise<Answering> {
  const model = await openFakeModel();
  const port = await freePort();
  const dataDir = mkdtempSync(join(tmpdir(), "answers-"));
  const origin = `http://localhost:${port}`;
  const server = startProcess("src/server/main.ts", {
    PORT: String(port),
    HOST: "localhost",
    SITE_ORIGIN: origin,
    BUILD_DIR: ".cache/test-build",
    DATA_DIR: dataDir,
    ANSWERS_URL: model.url,
    ANSWERS_MODEL: "small-model",
    ANSWERS_API_KEY: "a-key",
  });
  await server.printed(/Millrace is at/);
  return {
    origin,
    model,
    async close() {
      await server.stop();
      model.close();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

let opened: Promise<Answering> | undefined;
/** At its address. */
const test = base.extend<{ answering: Answering }>({
  answering: [async ({ keep }, use) => use(await (opened ??= keep(openAnswering()))), { timeout: 60_000 }],
  baseURL: async ({ answering }, use) => use(answering.origin),
});

/** Quotes the first passage: what it says is known only from the request. */
function quoteFirst({ requests }: FakeModel): string {
  const { messages } = requests.at(-1)!.body as { messages: { content: string }[] };
  const passage = /<passage number="1">\n[^\n]*\n([^]*?)<\/passage>/.exec(messages[1]!.content)?.[1] ?? "";
  const sentence = passage
    .split(/\n+|(?<=\.)\s+/)
    .find((each) => /^[A-Z][^`|*[\]{}<>#]{40,200}\.$/.test(each.trim()));
  return sentence?.trim().replace(/\.$/, "") ?? "";
}

test("1. a question is answered with sources", async ({ docs, page, answering: { model } }) => {
  let release = () => {};
  model.answer((response) => {
    response.writeHead(200, { "content-type": "text/event-stream" });
    const [start, ...rest] = streamOf("openai", [`${quoteFirst(model)} [1]. Aliens built it [1].\n`], "stop");
    response.write(start! + rest[0]!);
    release = () => response.end(rest.slice(1).join(""));
  });
  await docs.openHydrated("/docs/faq");
  await docs.searchBox.fill("images kept");
  await expect(docs.hits().first()).toBeVisible();
  await expect(page.getByRole("button", { name: "Answer this question" })).toHaveCount(0);
  await docs.searchBox.fill("how long are images kept");
  const answer = page.getByRole("region", { name: "Answer" });
  await expect(
    answer.getByText("Your question goes to 127.0.0.1, for the model small-model to answer."),
  ).toBeVisible();
  await answer.getByRole("button", { name: "Answer this question" }).press("Enter");

  await expect(answer.getByText("Written by small-model from these pages. Check the sources.")).toBeVisible();
  const stop = answer.getByRole("button", { name: "Stop" });
  await expect(stop).toBeFocused();
  const cited = answer.getByRole("link", { name: /^Source 1: / });
  await expect(cited).toHaveAttribute("href", /^\/docs\//);
  await expect(answer.locator("[aria-live=polite]")).toHaveAttribute("aria-busy", "true");
  release();
  await expect(answer.getByText("One sentence without support in them was left out.")).toBeVisible();
  await expect(answer.getByRole("button", { name: "Answer again" })).toBeFocused();
  await expect(answer.getByText("Aliens")).toHaveCount(0);
  await expectAccessible(page, { include: ".model-answer" });
  await page.setViewportSize({ width: 320, height: 640 });
  expect(await overflowOf(page)).toBe(0);
  await answer.getByRole("list", { name: "Sources" }).getByRole("link").click();
  await expect(page).toHaveURL((url) => url.pathname.startsWith("/docs/") && url.search === "");
  await expect(answer).toHaveCount(0);
});

test("3. elements are text", async ({ docs, page, answering: { model } }) => {
  model.answer((response) => {
    const text = `${quoteFirst(model)} [1]. \`<img src=x onerror=alert(1)>\` is safe [1]. <b>${quoteFirst(model)}</b> [1].\n`;
    sendStream(streamOf("openai", [text], "stop"))(response);
  });
  await docs.openHydrated("/docs/faq");
  await docs.searchBox.fill("how long are images kept");
  const answer = page.getByRole("region", { name: "Answer" });
  await answer.getByRole("button").press("Enter");
  await expect(answer.getByRole("button", { name: "Answer again" })).toBeVisible();
  await expect(answer.locator("img, b, script")).toHaveCount(0);
});

test("1. stopped", async ({ docs, page, answering: { model } }) => {
  model.answer((response) => response.writeHead(200, { "content-type": "text/event-stream" }).flushHeaders());
  await docs.openHydrated("/docs/faq");
  await docs.searchBox.fill("which certificate does the cache need");
  const answer = page.getByRole("region", { name: "Answer" });
  const button = answer.getByRole("button");
  const leavers = model.leavers();
  const asked = model.requests.length;
  await button.press("Enter");
  await expect(answer.getByText("Reading the pages…")).toBeVisible();
  await expect.poll(() => model.requests.length).toBe(asked + 1);
  await button.press("Enter");
  await expect(answer.getByText("Stopped.")).toBeVisible();
  await expect.poll(model.leavers).toBe(leavers + 1);
  await button.press("Enter");
  await expect(answer.getByText("Reading the pages…")).toBeVisible();
  await expect.poll(() => model.requests.length).toBe(asked + 2);
  await button.press("Escape");
  await expect(answer.getByText("Stopped.")).toBeVisible();
  await expect.poll(model.leavers).toBe(leavers + 2);
  await expect(docs.hits().first()).toBeVisible();
});

test("2. unknown, failed", async ({ docs, page, answering: { model } }) => {
  await docs.openHydrated("/docs/faq");
  await docs.searchBox.fill("which certificate does the cache need");
  const answer = page.getByRole("region", { name: "Answer" });
  const button = answer.getByRole("button");
  model.answer(sendStream(streamOf("openai", ["UNKNOWN"], "stop")));
  await button.press("Enter");
  await expect(
    answer.getByText("I do not know: the documentation does not answer this question."),
  ).toBeVisible();
  await expect(answer.getByText("was left out")).toHaveCount(0);
  await expectAccessible(page, { include: ".model-answer" });

  model.answer((response) => response.writeHead(429).end());
  await button.press("Enter");
  await expect(answer.getByText("Try again in a minute")).toBeVisible();
  expect(await (await page.request.get("/readyz")).json()).toMatchObject({ status: "ready" });
  await docs.searchBox.fill("how long are images kept");
  await expect(answer.getByRole("button", { name: "Answer this question" })).toBeVisible();
  await expect(answer.getByText("Try again in a minute")).toHaveCount(0);
});

test.describe("the limit of a caller", () => {
  test.use({ expectedErrors: /429/ });

  test("4. too many questions", async ({ docs, page, answering: { model } }) => {
    model.answer(sendStream(streamOf("openai", ["UNKNOWN"], "stop")));
    await docs.openHydrated("/docs/faq");
    await docs.searchBox.fill("how long are images kept");
    const answer = page.getByRole("region", { name: "Answer" });
    await expect(answer.getByRole("button")).toBeVisible();
    const ask = async () => {
      const response = await page.request.post("/answers", {
        data: { question: "how long are images kept" },
      });
      return response.status();
    };
    // More than a burst; a machine that is slow may get another place meanwhile.
    await expect(async () => {
      expect(await Promise.all(Array.from({ length: 20 }, ask))).toContain(429);
      await answer.getByRole("button").press("Enter");
      await expect(answer.getByText("Too many questions")).toBeVisible({ timeout: 2_000 });
    }).toPass({ timeout: 20_000 });
    await docs.searchBox.fill("images");
    await expect(docs.hits().first()).toBeVisible();
  });
});

base("5. without a model nothing of it is there", async ({ docs, page, request }) => {
  const urls: string[] = [];
  page.on("request", (each) => urls.push(each.url()));
  await docs.openHydrated("/docs/faq");
  const search = page.waitForResponse((response) => response.url().endsWith("/multi-search"));
  await docs.searchBox.fill("how long are images kept");
  expect((await search).headers()).not.toHaveProperty("millrace-answers");
  await expect(docs.hits().first()).toBeVisible();
  await expect(page.getByRole("region", { name: "Answer" })).toHaveCount(0);
  expect(urls.filter((url) => /answer/.test(url))).toEqual([]);
  const refused = await request.post("/answers", { data: { question: "how long are images kept" } });
  expect([404, 405]).toContain(refused.status());
});
