/** Which rows pass the search, the segment and the chips; all of them together. */
import type { TableFilter, TableSegment } from "./table-types.ts";

export interface Conditions {
  text: string;
  /** A segment's key; empty: the first segment, which shows all. */
  segment: string;
  /** By the filter's key. */
  values: ReadonlyMap<string, string>;
}

export interface Filterable<Row> {
  rows: readonly Row[];
  /** The text of each row, from `indexTexts`. */
  texts: readonly string[];
  segments?: readonly TableSegment<Row>[] | undefined;
  filters?: readonly TableFilter<Row>[] | undefined;
}

const MAX_TEXT_LENGTH = 2000;

/** Texts for the search, in lower case, made once for each list. */
export const indexTexts = <Row>(rows: readonly Row[], textOf: ((row: Row) => string) | undefined) =>
  textOf ? rows.map((row) => textOf(row).slice(0, MAX_TEXT_LENGTH).toLowerCase()) : [];

/** @returns whether the row with an index is shown */
export function createMatcher<Row>(
  { rows, texts, segments, filters }: Filterable<Row>,
  { text, segment, values }: Conditions,
): (index: number) => boolean {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  const chosen = segments?.find(({ key }) => key === segment);
  const set = (filters ?? []).flatMap((filter) => {
    const value = values.get(filter.key);
    return value === undefined ? [] : [{ has: filter.has, value }];
  });
  return (index) => {
    const rowText = texts[index] ?? "";
    if (!words.every((word) => rowText.includes(word))) return false;
    const row = rows[index];
    if (row === undefined || (chosen && !chosen.has(row))) return false;
    return set.every(({ has, value }) => has(row, value));
  };
}

export function countMatches<Row>(input: Filterable<Row>, conditions: Conditions): number {
  const matches = createMatcher(input, conditions);
  return input.rows.reduce((count, _row, index) => count + Number(matches(index)), 0);
}

export interface Obstacle {
  /** As shown in the bar: "By ben", the search words. */
  label: string;
  without: Conditions;
}

/** Each active condition, with the conditions that remain without it. */
export function listObstacles<Row>(
  { segments, filters }: Pick<Filterable<Row>, "segments" | "filters">,
  conditions: Conditions,
): Obstacle[] {
  const { text, segment, values } = conditions;
  const chosen = segments?.slice(1).find(({ key }) => key === segment);
  const chips = (filters ?? []).flatMap((filter) => {
    const value = values.get(filter.key);
    if (value === undefined) return [];
    const others = new Map([...values].filter(([key]) => key !== filter.key));
    return [{ label: describeFilter(filter, value), without: { ...conditions, values: others } }];
  });
  return [
    ...(text.trim() ? [{ label: text.trim(), without: { ...conditions, text: "" } }] : []),
    ...(chosen ? [{ label: chosen.label, without: { ...conditions, segment: "" } }] : []),
    ...chips,
  ];
}

/** The condition whose removal brings most rows back. */
export function findObstacle<Row>(input: Filterable<Row>, conditions: Conditions) {
  return listObstacles(input, conditions)
    .map((obstacle) => ({ ...obstacle, count: countMatches(input, obstacle.without) }))
    .reduce<(Obstacle & { count: number }) | undefined>(
      (best, each) => (each.count > (best?.count ?? 0) ? each : best),
      undefined,
    );
}

/** "By ben": a value that is not (or no longer) an option is shown unchanged. */
function describeFilter<Row>(filter: TableFilter<Row>, value: string): string {
  return `${filter.label} ${filter.options.find((option) => option.value === value)?.label ?? value}`;
}
