/**
 * Lighthouse on the production build: accessibility, best practices and SEO are 100 on the home page and on pages of the
 * documentation. Performance depends on the machine's load; `npm run lighthouse` measures it.
 */
import { auditPage } from "./audit-page.ts";
import { origin } from "./fixtures.ts";
import { expect, test } from "./worker.ts";

const audited = ["accessibility", "best-practices", "seo"] as const;
/** The configuration sets it. */
const browserPath = process.env["CHROMIUM"] ?? "";

test("Lighthouse finds nothing on the home page", async () => {
  test.setTimeout(120_000);
  const { scores, failures } = await auditPage(`${origin}/`, audited, browserPath);
  expect(failures).toEqual([]);
  expect(scores).toEqual({ accessibility: 100, "best-practices": 100, seo: 100 });
});

// Pages of Dockerfiles show the tree's link to the language Go, whose name alone Lighthouse takes for "go there".
for (const path of [
  "/docs/container-builds/quickstart",
  "/docs/container-builds/how-to-guides/optimal-dockerfiles/node",
])
  test(`Lighthouse finds nothing on ${path}`, async () => {
    test.setTimeout(120_000);
    const { scores, failures } = await auditPage(origin + path, audited, browserPath);
    expect(failures).toEqual([]);
    expect(scores).toEqual({ accessibility: 100, "best-practices": 100, seo: 100 });
  });
