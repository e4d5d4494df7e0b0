import { join } from "node:path";
import { chromium } from "@playwright/test";
import { openServer } from "./tests/e2e/console-server.ts";
import { acmeRecords, cookieOf, type PersonName } from "./tests/fixtures/acme-records.ts";
import { hostileRecords } from "./tests/fixtures/hostile-records.ts";
import { replaceRecords } from "./tests/fixtures/replace-records.ts";
const [,, what = "all", who = "ada", kind = ""] = process.argv;
const server = await openServer();
let records = acmeRecords(Date.now(), server.origin);
if (kind === "hostile") records = hostileRecords(records);
replaceRecords(join(server.dataDir, "millrace.db"), records);
const browser = await chromium.launch({ executablePath: "/usr/bin/chromium", args: ["--no-sandbox"] });
const screens: [string, string][] = [["overview","/app/acme"],["overview-7d","/app/acme?range=7d"],["overview-list","/app/acme?checklist=1"],["projects","/app/acme/projects"],["project","/app/acme/projects/web"],["project-settings","/app/acme/projects/web/settings"],["usage","/app/acme/usage"],["members","/app/acme/settings/members"],["tokens","/app/acme/settings/tokens"],["tokens-new","/app/acme/settings/tokens?new=1"],["trust","/app/acme/settings/trust"],["trust-row","/app/acme/settings/trust?row=prj_7q4hx2n9ds:0"],["audit","/app/acme/settings/audit"],["me","/app/me"],["api","/app/api"],["console","/console"],["searches","/console/searches"],["errors","/console/errors"],["health","/console/health"],["missing","/app/nobody"]];
for (const [label, size] of [["", {width:1440,height:900}],["-390",{width:390,height:844}]] as const)
for (const scheme of ["light","dark"] as const) {
  const context = await browser.newContext({ viewport: size, colorScheme: scheme });
  await context.addCookies([{ name: "millrace-session", value: cookieOf(who as PersonName), url: server.origin }]);
  const page = await context.newPage();
  page.on("pageerror", (e) => console.log("pageerror", page.url(), e.message));
  page.on("console", (m) => m.type() === "error" && console.log("console", page.url(), m.text()));
  for (const [name, path] of screens) {
    if (what !== "all" && !what.split(",").includes(name)) continue;
    await page.goto(server.origin + path);
    await page.waitForTimeout(1200);
    await page.screenshot({ path: `/tmp/shots/${name}${label}${scheme === "dark" ? "-dark" : ""}${kind && "-" + kind}${who === "ada" ? "" : "-" + who}.png`, fullPage: label === "-390" });
  }
  await context.close();
}
await browser.close();
await server.close();
