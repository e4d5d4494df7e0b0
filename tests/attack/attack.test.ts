/**
 * 1. A 5xx is a failure, except a 503 that says when to come back and a 507.
 * 2. The same seed and number make the same random request, other numbers make others.
 * 3. A random request is at most 4 MB and has headers that HTTP allows.
 * 4. Attackers' addresses differ.
 * 5. A program's section is replaced by its new one; the others keep theirs.
 * 6. Every item of the threat model has an attack, and every attack belongs to an item.
 * 7. The CPU time of an attack contains that of processes that have ended.
 */
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { validateHeaderValue } from "node:http";
import { join } from "node:path";
import { expect, test } from "vitest";
import { sectionOf, withSection } from "./sections.ts";
import { root } from "#server/pages/build-folders.ts";
import { isFailure } from "./attack.ts";
import { attacks } from "./attacks.ts";
import { schemaWorst } from "./attacks/29-schema-worst.ts";
import { REQUEST_BYTES } from "./bounds.ts";
import { fuzzedRequest } from "./fuzz/requests.ts";
import { cpuSecondsOf } from "./memory.ts";
import { clientAddress } from "./requests.ts";

const site = {
  routes: [
    { method: "POST", path: "/multi-search" },
    { method: "GET", path: "/search/indexes/:uid/settings/:setting" },
    { method: "ALL", path: "/ingest/*" },
    { method: "POST", path: "/errors/envelope" },
    { method: "POST", path: "/search/indexes/:uid/documents" },
  ],
  files: ["/", "/docs"],
};
const request = (seed: number, number: number) => fuzzedRequest(seed, number, site, { cookie: "a=b" });
const RUNS = 600;

test("1. failures", () => {
  const wait = { "retry-after": "3" };
  const cases: [number, { [name: string]: string }, boolean][] = [
    [200, {}, false],
    [404, {}, false],
    [500, wait, true],
    [501, {}, false],
    [502, wait, true],
    [503, wait, false],
    [503, {}, true],
    [503, { "retry-after": "0" }, true],
    [507, {}, false],
  ];
  for (const [status, headers, expected] of cases)
    expect([status, isFailure({ status, headers })]).toEqual([status, expected]);
});

test("2. the same request again", () => {
  for (let number = 0; number < 100; number++) expect(request(7, number)).toEqual(request(7, number));
  const lines = new Set(Array.from({ length: RUNS }, (_, number) => JSON.stringify(request(7, number))));
  expect(lines.size).toBeGreaterThan(RUNS * 0.95);
});

test("3. size and headers", () => {
  for (let number = 0; number < RUNS; number++) {
    const { path, headers, body = "" } = request(3, number);
    expect(Buffer.byteLength(body)).toBeLessThanOrEqual(REQUEST_BYTES);
    expect(path).toMatch(/^\/[\x21-\x7e]*$/);
    for (const [name, value] of Object.entries(headers)) validateHeaderValue(name, value);
  }
});

test("4. addresses", () => {
  const addresses = Array.from({ length: 200_000 }, (_, number) => clientAddress(number));
  expect(new Set(addresses).size).toBe(addresses.length);
  for (const address of addresses.slice(0, 1000)) expect(address).toMatch(/^127\.(?:\d{1,3}\.){2}\d{1,3}$/);
});

test("5. sections", () => {
  const page = "# Figures\n\nText.\n";
  const once = withSection(page, "attacks", "## Attacks\n\n$& first");
  expect(once).toBe(
    "# Figures\n\nText.\n\n<!-- attacks -->\n\n## Attacks\n\n$& first\n\n<!-- /attacks -->\n",
  );
  const twice = withSection(once, "attacks", "second");
  expect(twice).toBe("# Figures\n\nText.\n\n<!-- attacks -->\n\nsecond\n\n<!-- /attacks -->\n");
  expect(sectionOf(twice, "attacks")).toBe("<!-- attacks -->\n\nsecond\n\n<!-- /attacks -->");
  expect(sectionOf(page, "attacks")).toBe("");
});

test("6. the threat model", () => {
  const text = readFileSync(join(root, "decisions/009-threat-model.md"), "utf8");
  const cells = text.split("\n").map((line) => /^\|.*\|\s*([\d, ]+)\s*\|$/.exec(line)?.[1] ?? "");
  const named = new Set(
    cells
      .flatMap((cell) => cell.split(","))
      .filter((item) => item.trim() !== "")
      .map(Number),
  );
  const made = new Set([
    0,
    schemaWorst({ seconds: 0, hasBuilders: false }).item,
    ...attacks.map(({ item }) => item),
  ]);
  expect([...named].sort((a, b) => a - b)).toEqual([...made].sort((a, b) => a - b));
});

test.runIf(process.platform === "linux")("7. CPU time", () => {
  const before = cpuSecondsOf(process.pid);
  const used = execFileSync(process.execPath, [
    "--eval",
    "while (process.cpuUsage().user < 200_000); console.log(process.cpuUsage().user)",
  ]);
  // Counted in hundredths, rounded down.
  expect(cpuSecondsOf(process.pid) - before).toBeGreaterThan(Number(used) / 1_000_000 - 0.02);
  expect(cpuSecondsOf(0)).toBe(0);
});
