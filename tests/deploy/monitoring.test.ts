/**
 * The dashboard and the alert rules in `deploy/monitoring`:
 * 1. Every metric that they name is one of a running server, and every value of a label that they ask for is one that it has.
 * 2. Every query asks for the server's job only: the names of its metrics have no prefix.
 * 3. Prometheus accepts the rules, and they fire when they should (skipped where promtool cannot be had).
 * 4. Grafana's file can be imported: it names its data source by a variable, and its panels have different ids and places.
 * 5. The page about them lists every alert with its severity, and counts alerts and panels correctly.
 */
import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { parse } from "yaml";
import * as z from "zod";
import { root } from "#server/pages/build-folders.ts";
import { OWNER_TOKEN, prepareBuild, type RunningServer, startServer } from "../attack/server-process.ts";
import { compileContent } from "../../scripts/steps/content-step.ts";
import { escapePattern } from "../clients/pages/expected-output.ts";
import { noteRunsOf } from "../clients/pages/note-runs.ts";
import { findPromtool } from "../clients/registry/tools.ts";

const run = promisify(execFile);
const METRICS_TOKEN = "of-the-dashboard-0123456789";
const PAGE = "content/docs/managed/overview/alerts.mdx";
const read = (file: string) => readFileSync(join(root, file), "utf8");

const rulesSchema = z.strictObject({
  groups: z.array(
    z.strictObject({
      name: z.string(),
      rules: z.array(
        z.strictObject({
          alert: z.string(),
          expr: z.string(),
          for: z.string(),
          labels: z.strictObject({ severity: z.enum(["page", "ticket"]) }),
          annotations: z.strictObject({ summary: z.string() }),
        }),
      ),
    }),
  ),
});
const dashboardSchema = z.looseObject({
  __inputs: z.array(z.looseObject({ name: z.string() })),
  panels: z.array(
    z.looseObject({
      id: z.int(),
      title: z.string(),
      datasource: z.object({ uid: z.string() }),
      gridPos: z.strictObject({ x: z.int(), y: z.int(), w: z.int(), h: z.int() }),
      targets: z.array(z.looseObject({ expr: z.string() })).min(1),
    }),
  ),
});

const rules = rulesSchema
  .parse(parse(read("deploy/monitoring/alerts.yaml")))
  .groups.flatMap((group) => group.rules);
const dashboard = dashboardSchema.parse(JSON.parse(read("deploy/monitoring/grafana.json")));
const queries = [
  ...rules.map(({ alert, expr }) => ({ name: alert, expr })),
  ...dashboard.panels.flatMap(({ title, targets }) => targets.map(({ expr }) => ({ name: title, expr }))),
];

/** `builds{job="millrace", state="queued"}` */
const selectorsOf = (expr: string) =>
  [...expr.matchAll(/([a-z][a-z0-9_]*)\{([^}]*)\}/g)].map(([, metric = "", inside = ""]) => ({
    metric: metric.replace(/_bucket$/, ""),
    labels: [...inside.matchAll(/(\w+)(=~?)"([^"]*)"/g)].map(([, name = "", how = "", value = ""]) => ({
      name,
      value: new RegExp(`^(?:${how === "=~" ? value : escapePattern(value)})$`),
    })),
  }));

/** `builds{state="queued"} 0` */
function readFigures(text: string): typeof figures {
  const found: typeof figures = new Map();
  for (const [, name = ""] of text.matchAll(/^# TYPE (\S+)/gm)) found.set(name, []);
  for (const [, name = "", inside = ""] of text.matchAll(/^(\w+)(?:\{(.*)\})? \S+$/gm)) {
    const labels = [...inside.matchAll(/(\w+)="([^"]*)"/g)].map(([, label = "", value = ""]) => [
      label,
      value,
    ]);
    found.get(name.replace(/_bucket$/, ""))?.push(Object.fromEntries(labels));
  }
  return found;
}

let server: RunningServer;
/** Metric → the labels of its series. */
let figures: Map<string, { [label: string]: string }[]>;

beforeAll(async () => {
  await prepareBuild();
  server = await startServer({ env: { METRICS_TOKEN } });
  const origin = `http://127.0.0.1:${server.port}`;
  const authorization = `Bearer ${OWNER_TOKEN}`;
  // A miss, an entry and a hit, so that the cache has series.
  const entry = `${origin}/cache/gradle/${"a".repeat(32)}`;
  await fetch(entry, { headers: { authorization } });
  await fetch(entry, { method: "PUT", body: "entry", headers: { authorization } });
  await fetch(entry, { headers: { authorization } });
  const answer = await fetch(`${origin}/metrics`, { headers: { authorization: `Bearer ${METRICS_TOKEN}` } });
  figures = readFigures(await answer.text());
}, 300_000);
afterAll(() => server.stop());

/** Prometheus makes it for every target. */
const OF_PROMETHEUS = new Set(["up"]);
/** Labels that Prometheus adds, and statuses that this server has not answered. */
const NOT_COMPARED = new Set(["job", "status"]);

test.each(queries)("1, 2. $name: $expr", ({ expr }) => {
  const selectors = selectorsOf(expr);
  expect(selectors.length).toBeGreaterThan(0);
  for (const { metric, labels } of selectors) {
    expect(labels.find(({ name }) => name === "job")?.value.test("millrace"), metric).toBe(true);
    if (OF_PROMETHEUS.has(metric)) continue;
    const series = figures.get(metric);
    expect(series, metric).toBeDefined();
    for (const { name, value } of labels.filter((label) => !NOT_COMPARED.has(label.name)))
      expect(
        series!.some((labelsOfSeries) => value.test(labelsOfSeries[name] ?? "")),
        `${metric} with ${name}`,
      ).toBe(true);
  }
  // No name without a selector: it would read the metrics of other jobs.
  const bare = expr.replaceAll(/[a-z][a-z0-9_]*\{[^}]*\}/g, "").match(/\b[a-z]+_[a-z_]+\b(?!\s*\()/g) ?? [];
  expect(bare.filter((name) => !["__rate_interval"].includes(name))).toEqual([]);
});

test("1. labels that queries group by", () => {
  for (const { name, expr } of queries)
    for (const [, grouped = ""] of expr.matchAll(/\bby \(([^)]+)\)/g))
      for (const label of grouped.split(", ").filter((each) => each !== "le")) {
        const [selector] = selectorsOf(expr);
        const series = figures.get(selector!.metric) ?? [];
        expect(series.some((labels) => label in labels) || series.length === 0, `${name}: ${label}`).toBe(
          true,
        );
      }
});

/** Every minute: builds wait from the beginning, and the disk is almost full from the fourth minute on. */
const SITUATION = `
rule_files: [alerts.yaml]
evaluation_interval: 1m
tests:
  - interval: 1m
    input_series:
      - { series: 'builds{job="millrace", state="queued"}', values: "3x30" }
      - { series: 'builds{job="millrace", state="running"}', values: "0x30" }
      - { series: 'data_disk_full{job="millrace", instance="one"}', values: "0 0 0 0 1x30" }
      - { series: 'http_requests_total{job="millrace", status="200"}', values: "0+98x30" }
      - { series: 'http_requests_total{job="millrace", status="502"}', values: "0+2x30" }
    alert_rule_test:
      - { eval_time: 3m, alertname: MillraceDiskFull, exp_alerts: [] }
      - eval_time: 20m
        alertname: MillraceDiskFull
        exp_alerts:
          - exp_labels: { severity: page, job: millrace, instance: one }
            exp_annotations: { summary: "The disk of one is almost full: uploads and new builds are refused." }
      - eval_time: 20m
        alertname: MillraceBuildersDoNotStart
        exp_alerts:
          - exp_labels: { severity: page }
            exp_annotations: { summary: "3 builds are queued, and none is running." }
      - eval_time: 20m
        alertname: MillraceServerErrors
        exp_alerts:
          - exp_labels: { severity: page }
            exp_annotations: { summary: "2% of the responses have status 500 or higher." }
      - { eval_time: 20m, alertname: MillraceDown, exp_alerts: [] }
`;

test("3. Prometheus accepts the rules, and they fire", { timeout: 120_000 }, async () => {
  const promtool = await findPromtool();
  if (promtool === null) return void test.skip("without promtool");
  await run(promtool, ["check", "rules", join(root, "deploy/monitoring/alerts.yaml")]);
  const folder = mkdtempSync(join(tmpdir(), "alerts-"));
  writeFileSync(join(folder, "alerts.yaml"), read("deploy/monitoring/alerts.yaml"));
  writeFileSync(join(folder, "situation.yaml"), SITUATION);
  try {
    await run(promtool, ["test", "rules", "situation.yaml"], { cwd: folder });
    noteRunsOf("tests/deploy/monitoring.test.ts", (await compileContent()).pages);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test("4. the dashboard", () => {
  const [input] = dashboard.__inputs;
  const { panels } = dashboard;
  for (const { datasource } of panels) expect(datasource.uid).toBe(`\${${input!.name}}`);
  expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length);
  expect(new Set(panels.map(({ gridPos: { x, y } }) => `${x} ${y}`)).size).toBe(panels.length);
  for (const { gridPos } of panels) expect(gridPos.x + gridPos.w).toBeLessThanOrEqual(24);
});

test("5. the page", () => {
  const page = read(PAGE);
  const listed = [...page.matchAll(/^\| `(Millrace\w+)` \| (\w+) \|/gm)].map(([, name, severity]) => ({
    name,
    severity,
  }));
  expect(listed).toEqual(rules.map(({ alert, labels }) => ({ name: alert, severity: labels.severity })));
  expect(page).toContain(`a dashboard with ${dashboard.panels.length} panels, and eight alerts`);
  expect(page).toContain(`SUCCESS: ${rules.length} rules found`);
});
