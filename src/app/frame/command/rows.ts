/** The menu's groups of rows for a typed text. */
import type { IconName } from "../../ui/icon.tsx";
import type { Entry } from "./entries.ts";
import { type EntryIndex, findEntries, marksOf, type Range } from "./find-entries.ts";
import type { DocumentationAnswer } from "./use-documentation.ts";

export interface Row {
  /** Unique in the list. */
  key: string;
  label: string;
  icon: IconName;
  marks: readonly Range[];
  note?: string | undefined;
  shortcut?: string | undefined;
  to?: string | undefined;
  run?: (() => void) | undefined;
  /** Copied when the row is chosen. */
  copy?: string | undefined;
  isNewTab?: boolean;
  /** Absent: the row has no actions of its own. */
  entry?: Entry;
}

export interface RowGroup {
  title: string;
  rows: Row[];
  /** Why the group is empty. */
  words?: string;
}

export interface Typed {
  /** Without the leading sign. */
  text: string;
  /** `>` or `?`. */
  only: "commands" | "documentation" | null;
}

export function readTyped(value: string): Typed {
  const trimmed = value.trimStart();
  if (trimmed.startsWith(">")) return { text: trimmed.slice(1), only: "commands" };
  if (trimmed.startsWith("?")) return { text: trimmed.slice(1), only: "documentation" };
  return { text: value, only: null };
}

const FEW = 5;

/** The groups of local entries: places, projects, people, commands. */
export function entryGroups({ text, only }: Typed, index: EntryIndex, recent: readonly Entry[]): RowGroup[] {
  if (only === "documentation") return [];
  if (text.trim() !== "" || only === "commands")
    return findEntries(index, text, { isCommandsOnly: only === "commands" }).map(({ group, entries }) =>
      groupOf(group, entries, text),
    );
  const actions = index.all.flatMap(({ entry }) => (entry.group === "This page" ? [entry] : []));
  const places = index.all.flatMap(({ entry }) => (entry.key.startsWith("place ") ? [entry] : []));
  return [
    groupOf("Last opened", recent, ""),
    groupOf("This page", actions, ""),
    // When both are short, the menu still leads somewhere.
    groupOf("Settings and places", recent.length + actions.length < FEW ? places : [], ""),
  ].filter(({ rows }) => rows.length > 0);
}

/** They arrive later than the others, and change none of them. */
export function documentationGroups({ text, only }: Typed, answer: DocumentationAnswer): RowGroup[] {
  if (only === "commands" || (only === null && text.trim() === "")) return [];
  return [documentationGroup(text.trim(), answer)];
}

const groupOf = (title: string, entries: readonly Entry[], text: string): RowGroup => ({
  title,
  rows: entries.map((entry) => ({
    key: entry.key,
    label: entry.label,
    icon: entry.icon,
    marks: marksOf(entry.label, text),
    note: entry.note ?? entry.id,
    shortcut: entry.shortcut,
    to: entry.to,
    run: entry.run,
    entry,
  })),
});

function documentationGroup(text: string, { text: asked, hits, error }: DocumentationAnswer): RowGroup {
  const search = `/docs?q=${encodeURIComponent(text)}`;
  const isNone = asked === text && text !== "" && hits.length === 0 && !error;
  const rows: Row[] = hits.map(({ title, page, to }) => ({
    key: `docs ${to}`,
    label: title,
    icon: "bookOpen",
    marks: marksOf(title, text),
    note: page,
    to,
  }));
  rows.push({
    key: "docs",
    label: text === "" ? "Documentation" : `${isNone ? `No page has “${text}”. ` : ""}Search all text`,
    icon: "bookOpen",
    marks: [],
    note: text === "" ? "/docs" : `/docs?q=${text}`,
    to: text === "" ? "/docs" : search,
  });
  return { title: "Documentation", rows, ...(error && { words: error }) };
}

/** What can be done with a result, in addition to opening it. */
export function actionRows({ key, label, to, id, command, run, more = [] }: Entry): RowGroup {
  const row = (name: string, icon: IconName, what: Partial<Row>): Row => ({
    key: `${key} ${name}`,
    label: name,
    icon,
    marks: [],
    ...what,
  });
  return {
    title: label,
    rows: [
      ...(run ? [row("Run", "play", { run })] : []),
      ...(to
        ? [row("Open", "corner", { to }), row("Open in a new tab", "externalLink", { to, isNewTab: true })]
        : []),
      ...more.map((each) => row(each.label, each.icon, { to: each.to })),
      ...(id ? [row("Copy the id", "copy", { copy: id, note: id })] : []),
      ...(to ? [row("Copy the link", "link", { copy: new URL(to, location.origin).href })] : []),
      ...(command ? [row("Copy the command", "squareTerminal", { copy: command, note: command })] : []),
    ],
  };
}
