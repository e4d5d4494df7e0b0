/**
 * A stored build whose log, steps, error, warnings, labels, image and project have markup, terminal sequences, links
 * and characters that change the direction of the following text, recorded like any build.
 *
 * 1. Its page, the lists and the overview show them as text: nothing of them runs, the policy has nothing to refuse, and there is no
 *    link with `javascript:` or to a host that a log names.
 * 2. Every line of the log is there, without its sequences, and so is the failure. A change of direction ends with its
 *    own text, and no command is affected.
 */
import type { Page } from "@playwright/test";
import { BIDI, LINES, MARKUP, recordHostileBuild } from "../fixtures/hostile-build.ts";
import { ACME, expect, test } from "./acme.ts";
import { watchDeeds } from "./watch-deeds.ts";

const PROJECT = "prj_hostile000";

/** Links that lead elsewhere, and markup that became an element. */
const findBad = (page: Page) =>
  page.evaluate(() => {
    const bad: string[] = [];
    for (const link of document.querySelectorAll<HTMLAnchorElement>("a[href]"))
      if (/^javascript:|evil\.example/i.test(link.href)) bad.push(link.href);
    for (const made of document.querySelectorAll("main img[src=x], main script")) bad.push(made.outerHTML);
    return bad;
  });

/** Texts that change the direction of their neighbours: neither isolated by `bdi` or a box of their own, or in code. */
const findTurned = (page: Page) =>
  page.evaluate(() => {
    const turned: string[] = [];
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let node = texts.nextNode(); node; node = texts.nextNode()) {
      const element = node.parentElement;
      if (!element || !/[\u202A-\u202E\u2066-\u2069]/.test(node.nodeValue ?? "")) continue;
      if (/^(?:SCRIPT|STYLE|TITLE)$/.test(element.tagName)) continue;
      const { unicodeBidi, display } = getComputedStyle(element);
      const isAlone = /isolate|plaintext/.test(unicodeBidi) || !display.startsWith("inline");
      if (!isAlone || element.closest("pre, code"))
        turned.push(`${element.tagName}.${element.className} ${node.nodeValue ?? ""}`);
    }
    return turned;
  });

test("1. and 2. a build of bad will", async ({ acme, page }) => {
  const { id, rows } = await recordHostileBuild({ organizationId: ACME.id, projectId: PROJECT });
  acme.fill((records) => {
    const [project] = records["projects"] ?? [];
    const hostile = { ...project!, id: PROJECT, name: `${MARKUP}${BIDI}` };
    return { ...records, ...rows, projects: [...(records["projects"] ?? []), hostile] };
  });
  const deeds = await watchDeeds(page, acme.at(""));
  const expectInert = async () => {
    expect(await page.title()).not.toBe("pwned");
    expect(await findBad(page)).toEqual([]);
    expect(await findTurned(page)).toEqual([]);
    expect(await deeds()).toEqual([]);
  };

  await page.goto(acme.at(`builds/${id}`));
  const log = page.getByRole("log", { name: "Lines" });
  await log.getByRole("button", { name: /^#2 / }).click();
  for (const [, seen] of LINES) await expect(log.getByText(seen, { exact: true }).first()).toBeVisible();
  expect(await log.textContent()).not.toContain("\u001B");
  await expect(log.getByRole("link", { name: /press here|or here/ })).toHaveCount(0);
  await expect(page.getByRole("heading", { level: 1 })).toContainText(MARKUP);
  const failure = page.getByRole("main").getByRole("alert");
  await expect(failure).toContainText(MARKUP);
  expect(await failure.textContent()).not.toContain("\u001B");
  const steps = page.getByRole("region", { name: /^Steps of the build/ });
  await expect(steps).toContainText(`RUN echo ${MARKUP}`);
  await expectInert();
  await log.getByText("press here").click();
  await steps.getByRole("link").first().click();
  await expect(page.getByRole("complementary", { name: "Details" })).toBeVisible();
  await expectInert();

  for (const path of ["builds", ""])
    await test.step(`/app/acme/${path}`, async () => {
      await page.goto(acme.at(path));
      await expect(page.getByRole("main").getByText(MARKUP, { exact: false }).first()).toBeVisible();
      await expectInert();
    });
});
