import type { ClassScore, Measurement } from "./measure.ts";

const CLASSES = [
  "link",
  "title",
  "heading",
  "body",
  "typo",
  "typos",
  "prefix",
  "typo+prefix",
  "order",
  "split",
];

/** All results as Markdown. */
export function tablesOf(measurements: readonly Measurement[]): string {
  return [relevanceTables(measurements), speedTable(measurements)].filter((text) => text !== "").join("\n\n");
}

function relevanceTables(measurements: readonly Measurement[]): string {
  const measured = measurements.filter(({ relevance }) => relevance);
  const byEngine = [...Map.groupBy(measured, ({ engine }) => engine)];
  if (byEngine.length === 0) return "";
  const corpora = [...new Set(measured.map(({ corpus }) => corpus))];
  return [
    "### Mean reciprocal rank of the first right page (MRR@10), by class of query, mean of the corpora",
    table(
      ["engine", ...CLASSES, "all"],
      byEngine.map(([engine, runs]) => {
        const values = CLASSES.map((name) => mean(valuesOf(runs, name, (score) => score.mrr)));
        return [engine, ...[...values, mean(values)].map(threeDigits)];
      }),
    ),
    "### The same by corpus, mean of the classes",
    table(
      ["engine", ...corpora],
      byEngine.map(([engine, runs]) => [
        engine,
        ...corpora.map((corpus) =>
          threeDigits(
            overClasses(
              runs.filter((run) => run.corpus === corpus),
              (score) => score.mrr,
            ),
          ),
        ),
      ]),
    ),
    "### Other measures, mean of corpora and classes",
    table(
      ["engine", "right page first", "right page in five", "right section (MRR)", "no answer"],
      byEngine.map(([engine, runs]) => [
        engine,
        threeDigits(overClasses(runs, (score) => score.success1)),
        threeDigits(overClasses(runs, (score) => score.success5)),
        threeDigits(overClasses(runs, (score) => score.anchorMrr)),
        `${(100 * overClasses(runs, (score) => score.empty)).toFixed(2)} %`,
      ]),
    ),
  ].join("\n\n");
}

function speedTable(measurements: readonly Measurement[]): string {
  const measured = measurements.filter(({ speed }) => speed);
  if (measured.length === 0) return "";
  const rows = measured.map((one) => {
    const { typing, short } = one.speed!;
    const times = [typing.p50, typing.p95, typing.p99, short.p95].map((time) => time.toFixed(2));
    return [
      one.corpus,
      String(one.records),
      one.engine,
      ...times,
      (one.buildMs / 1000).toFixed(2),
      one.sizeBytes === null ? "–" : megabytes(one.sizeBytes),
      one.openMs === null ? "–" : one.openMs.toFixed(0),
      megabytes(one.heapBytes),
      (one.residentBytes / 1e6).toFixed(0),
    ];
  });
  return [
    "### Search as you type: CPU milliseconds per search, one thread",
    table(
      [
        "corpus",
        "records",
        "engine",
        "p50",
        "p95",
        "p99",
        "p95 of 1–2 letters",
        "build, CPU s",
        "index, MB",
        "opening, ms",
        "heap, MB",
        "resident, MB",
      ],
      rows,
    ),
    ...growths(measured),
  ].join("\n\n");
}

/** How much slower searches are on the largest corpus than on the one of about 54,000 records. */
function growths(measured: readonly Measurement[]): string[] {
  const lines = [...Map.groupBy(measured, ({ engine }) => engine)].flatMap(([engine, runs]) => {
    const middle = runs.find(({ records }) => records > 40_000 && records < 70_000);
    const largest = runs.find(({ records }) => records >= 1_000_000);
    if (!middle || !largest) return [];
    const times = largest.speed!.typing.p95 / middle.speed!.typing.p95;
    return [`${engine} ${times.toFixed(1)} times`];
  });
  return lines.length === 0 ? [] : [`Growth of p95 from 51,279 to 1,015,905 records: ${lines.join(", ")}.`];
}

function valuesOf(
  runs: readonly Measurement[],
  queryClass: string,
  value: (score: ClassScore) => number | null,
): number[] {
  return runs.flatMap(({ relevance }) => {
    const score = relevance?.[queryClass];
    const one = score ? value(score) : null;
    return one === null ? [] : [one];
  });
}

function overClasses(runs: readonly Measurement[], value: (score: ClassScore) => number | null): number {
  return mean(CLASSES.map((name) => mean(valuesOf(runs, name, value))).filter((one) => !Number.isNaN(one)));
}

function mean(values: readonly number[]): number {
  return values.length === 0 ? NaN : values.reduce((sum, value) => sum + value, 0) / values.length;
}

function threeDigits(value: number): string {
  return Number.isNaN(value) ? "–" : value.toFixed(3);
}

function megabytes(bytes: number): string {
  return (bytes / 1e6).toFixed(1);
}

function table(head: string[], rows: string[][]): string {
  return [line(head), line(head.map((_, at) => (at === 0 ? "---" : "---:"))), ...rows.map(line)].join("\n");
}

function line(cells: string[]): string {
  return `| ${cells.join(" | ")} |`;
}
