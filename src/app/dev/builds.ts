import type { State } from "../ui/status.tsx";

export interface Build {
  id: string;
  title: string;
  project: string;
  by: string;
  state: State;
  seconds: number | null;
  startedAt: string;
}

export const PEOPLE = ["ada", "ben", "mei", "ruth", "tomas"];
const PROJECTS = ["web", "api", "worker"];
const TITLES = [
  "Add express checkout to the basket",
  "Retry the settlement import once",
  "Bump pgx to 5.8",
  "Move rounding into the ledger",
  "Show the delivery slot before payment",
  "Pin the base image by digest",
];
const STATES: readonly State[] = [
  "succeeded",
  "succeeded",
  "failed",
  "succeeded",
  "canceled",
  "succeeded",
  "running",
];
const HOSTILE = [
  "<img src=x onerror=alert(1)> & <b>bold</b>",
  '=HYPERLINK("http://evil.example","click")',
  "Zahlungsdienstleisterkonfigurationsprüfung im Bestellabschluss aktivieren ".repeat(3),
  "إضافة الدفع السريع إلى سلة التسوق",
  "x".repeat(200),
  "",
];

const START_MS = Date.parse("2026-11-20T14:32:00Z");

/** One of many made-up builds; the same index gives the same build. Later indexes are earlier, those over 20,000 later. */
export function makeBuild(index: number, isHostile = false): Build {
  const title = isHostile
    ? (HOSTILE[index % HOSTILE.length] ?? "")
    : `${TITLES[index % TITLES.length]}, part ${index}`;
  const minutes = index >= 20_000 ? index - 20_000 : -index * 7;
  return {
    id: `bld_${(index * 7919 + 104_729).toString(36).padStart(6, "0")}`,
    title,
    project:
      isHostile && index % 3 === 0
        ? "a-project-whose-name-has-the-greatest-length-that-there-is-63-ch"
        : (PROJECTS[index % 3] ?? ""),
    by: isHostile && index % 2 === 0 ? "محمد عبد الله الطويل الاسم جدا" : (PEOPLE[index % 5] ?? ""),
    state: STATES[index % STATES.length] ?? "queued",
    seconds: index % 11 === 0 ? null : ((index * 37) % 900) / 10,
    startedAt: new Date(START_MS + minutes * 60_000).toISOString(),
  };
}

export const makeBuilds = (count: number, isHostile = false): Build[] =>
  Array.from({ length: count }, (_, index) => makeBuild(index, isHostile));
