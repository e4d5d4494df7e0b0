/**
 * The addresses of the documentation's figures, on a server with people.
 * 1. For operators each opens by its link, by a reload and by the rail, as before: with its range, its list, its filter
 *    and its order. 2. Members are refused: the pages say who reads them, and the server answers 403.
 */
import { expect, test } from "./acme.ts";

const ADDRESSES = [
  { path: "/console", heading: "Overview" },
  { path: "/console?range=30d", heading: "Overview" },
  { path: "/console/searches?kind=no-hits&range=24h&find=turbo&sort=-count&rows=100", heading: "Searches" },
  { path: "/console/explain?q=layer+cache", heading: "Explain a search" },
  { path: "/console/pages?sort=-no", heading: "Pages" },
  { path: "/console/errors", heading: "Errors" },
  { path: "/console/recordings?range=30d", heading: "Recordings" },
  { path: "/console/surveys", heading: "Surveys" },
  { path: "/console/flags", heading: "Flags" },
  { path: "/console/health?live=off", heading: "Ingest health" },
];

test("1. every address by link and by reload, then the rail", async ({ acme, page }) => {
  test.setTimeout(60_000);
  for (const { path, heading } of ADDRESSES) {
    await page.goto(acme.origin + path);
    await expect(page.getByRole("heading", { name: heading, level: 1, exact: true })).toBeVisible();
    await expect(page).toHaveURL(acme.origin + path);
  }
  await page.reload();
  await expect(page.getByRole("heading", { name: "Ingest health", level: 1 })).toBeVisible();
  await expect(page.getByText("Paused")).toBeVisible();
  await page.goto(acme.at());
  const rail = page.getByRole("navigation", { name: "Main" });
  await rail.getByRole("link", { name: "Documentation" }).click();
  for (const name of ["Searches", "Pages", "Errors", "Recordings", "Surveys", "Flags", "Ingest health"]) {
    await rail.getByRole("link", { name, exact: true }).click();
    await expect(page.getByRole("heading", { name, level: 1, exact: true })).toBeVisible();
  }
});

test.describe("a member", () => {
  test.use({ as: "ben" });

  test("2. is told who reads them, and gets nothing", async ({ acme, page }) => {
    for (const { path } of ADDRESSES) {
      const report = await page.request.get(`${acme.origin}/console/api${path.slice("/console".length)}`);
      expect(report.status(), path).toBe(403);
    }
    const refused = await page.request.get(`${acme.origin}/console/api/pages`);
    expect([refused.status(), await refused.json()]).toEqual([
      403,
      expect.objectContaining({ code: "permission_denied" }),
    ]);
    const asked: string[] = [];
    page.on("request", (request) => {
      if (request.url().includes("/console/api/")) asked.push(request.url());
    });
    await page.goto(`${acme.origin}/console/searches?range=24h`);
    await expect(
      page.getByRole("heading", { name: "Only owners can see the documentation's figures" }),
    ).toBeVisible();
    const rail = page.getByRole("navigation", { name: "Main" });
    await expect(rail.getByRole("link", { name: "Documentation" })).toHaveAttribute("href", "/docs");
    await expect(rail.getByRole("link", { name: "Searches" })).toHaveCount(0);
    expect(asked).toEqual([]);
  });
});
