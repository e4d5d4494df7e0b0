/**
 * Data stored next to the index files: which file each index has, and every task with its outcome. One
 * transaction records that a batch is done and where its results are, so that a crash leaves it undone or
 * done, never half done.
 */
import type { DatabaseSync, SQLOutputValue } from "node:sqlite";
import type { ProtocolSettings } from "../settings/json.ts";
import type { Task } from "./task.ts";
import { INDEX_FILE } from "./index-files.ts";
import type { HeldPayload, Payload, PayloadSource } from "./payload-store.ts";
import { changeRules, readRules, type RuleRowChange } from "./rule-rows.ts";

export interface CatalogIndex {
  uid: string;
  /** The name of its file, without the folder. */
  file: string;
  createdAt: Date;
  updatedAt: Date;
  protocol: ProtocolSettings;
  /** Why it is not served; null if it is. */
  problem: string | null;
  /** The name under which an unusable file was put aside. */
  setAside: string | null;
}

export type IndexChange =
  { kind: "put"; index: Omit<CatalogIndex, "problem" | "setAside"> } | { kind: "remove"; uid: string };

export interface WaitingRow {
  uid: number;
  /** The work as it was added: JSON. */
  work: unknown;
  payload: HeldPayload;
}

export interface FinishedBatch {
  tasks: readonly Task[];
  changes: readonly IndexChange[];
  rules?: readonly RuleRowChange[];
  /** The number that the next batch gets. */
  nextBatch: number;
  /** Finished tasks that are no longer remembered. */
  forgotten: readonly number[];
}

type Row = { [column: string]: SQLOutputValue };

export class Catalog {
  readonly #db: DatabaseSync;

  constructor(db: DatabaseSync) {
    this.#db = db;
  }

  indexes(): CatalogIndex[] {
    return this.#db.prepare("SELECT * FROM indexes ORDER BY uid").all().map(readIndex);
  }

  tasks(): Task[] {
    return this.#db.prepare("SELECT id, task FROM tasks ORDER BY id").all().map(readTask);
  }

  /** By name. */
  rules(): ReturnType<typeof readRules> {
    return readRules(this.#db);
  }

  /** Unfinished tasks, in order. */
  waiting(): WaitingRow[] {
    const rows = this.#db
      .prepare("SELECT id, work, payloadFile, payloadBytes FROM tasks WHERE work IS NOT NULL ORDER BY id")
      .all();
    return rows.map((row) => ({
      uid: Number(row["id"]) - 1,
      work: JSON.parse(String(row["work"])) as unknown,
      payload: {
        file: row["payloadFile"] === null ? null : String(row["payloadFile"]),
        size: Number(row["payloadBytes"]),
      },
    }));
  }

  /** The work given to `addTask`; null for a finished or unknown task. */
  workOf(uid: number): unknown {
    const work = this.#db.prepare("SELECT work FROM tasks WHERE id = ?").get(uid + 1)?.["work"];
    return typeof work === "string" ? (JSON.parse(work) as unknown) : null;
  }

  payloadOf(uid: number): PayloadSource | null {
    const row = this.#db.prepare("SELECT payload, payloadFile FROM tasks WHERE id = ?").get(uid + 1);
    if (row?.["payload"] instanceof Uint8Array) return { bytes: row["payload"] };
    return typeof row?.["payloadFile"] === "string" ? { file: row["payloadFile"] } : null;
  }

  /** @returns the task's number, greater than all earlier ones */
  addTask(task: Omit<Task, "uid">, work: unknown, payload: Payload | null): number {
    const source: { bytes?: Uint8Array; file?: string } = payload?.source ?? {};
    const { lastInsertRowid } = this.#db
      .prepare("INSERT INTO tasks (task, work, payload, payloadFile, payloadBytes) VALUES (?, ?, ?, ?, ?)")
      .run(
        JSON.stringify(task),
        JSON.stringify(work),
        source.bytes ?? null,
        source.file ?? null,
        payload?.size ?? 0,
      );
    return Number(lastInsertRowid) - 1;
  }

  /** All or nothing; if it throws, nothing. */
  finish({ tasks, changes, rules = [], nextBatch, forgotten }: FinishedBatch): void {
    this.transaction(() => {
      this.change(changes);
      changeRules(this.#db, rules);
      this.#close(tasks);
      this.#delete(forgotten);
      this.#count("batch", nextBatch);
    });
  }

  /** Records canceled tasks and the task that canceled them, which gets its number here. */
  cancel(task: Omit<Task, "uid">, work: unknown, canceled: (uid: number) => readonly Task[]): number {
    return this.transaction(() => {
      const uid = this.addTask(task, work, null);
      this.#close(canceled(uid));
      return uid;
    });
  }

  forget(task: Omit<Task, "uid">, work: unknown, uids: readonly number[]): number {
    return this.transaction(() => {
      this.#delete(uids);
      return this.addTask(task, work, null);
    });
  }

  /** Several changes must run in a transaction. */
  change(changes: readonly IndexChange[]): void {
    for (const change of changes) {
      const uid = change.kind === "put" ? change.index.uid : change.uid;
      this.#removeLater(uid, change.kind === "put" ? change.index.file : null);
      if (change.kind === "remove") this.#db.prepare("DELETE FROM indexes WHERE uid = ?").run(uid);
      else this.put({ ...change.index, problem: null, setAside: null });
    }
  }

  put({ uid, file, createdAt, updatedAt, protocol, problem, setAside }: CatalogIndex): void {
    this.#db
      .prepare("INSERT OR REPLACE INTO indexes VALUES (?, ?, ?, ?, ?, ?, ?)")
      .run(uid, file, createdAt.getTime(), updatedAt.getTime(), JSON.stringify(protocol), problem, setAside);
  }

  /** Files that have been replaced but may still exist. */
  removals(): string[] {
    return this.#db
      .prepare("SELECT file FROM removals")
      .all()
      .map((row) => String(row["file"]));
  }

  forgetRemovals(): void {
    this.#db.exec("DELETE FROM removals");
  }

  get nextBatch(): number {
    return this.#counter("batch");
  }

  isOn(feature: string): boolean {
    return this.#counter(`feature:${feature}`) === 1;
  }

  /** All or nothing. */
  switch(features: readonly [name: string, isOn: boolean][]): void {
    this.transaction(() => {
      for (const [name, isOn] of features) this.#count(`feature:${name}`, isOn ? 1 : 0);
    });
  }

  /** Whether the folder's files have been taken into the catalog. */
  get hasAdopted(): boolean {
    return this.#counter("adopted") === 1;
  }

  /** Takes the indexes found in the folder into an empty catalog. */
  adopt(indexes: readonly CatalogIndex[], numbers: { nextTask: number; nextBatch: number }): void {
    this.transaction(() => {
      for (const index of indexes) this.put(index);
      this.#count("batch", numbers.nextBatch);
      this.#count("adopted", 1);
      if (numbers.nextTask > 0) {
        this.#db.prepare("INSERT INTO sqlite_sequence (name, seq) VALUES ('tasks', ?)").run(numbers.nextTask);
      }
    });
  }

  transaction<T>(run: () => T): T {
    this.#db.exec("BEGIN IMMEDIATE");
    try {
      const result = run();
      this.#db.exec("COMMIT");
      return result;
    } catch (error) {
      if (this.#db.isTransaction) this.#db.exec("ROLLBACK");
      throw error;
    }
  }

  close(): void {
    this.#db.close();
  }

  #close(tasks: readonly Task[]): void {
    const update = this.#db.prepare(
      "UPDATE tasks SET task = ?, work = NULL, payload = NULL, payloadFile = NULL, payloadBytes = 0 WHERE id = ?",
    );
    for (const { uid, ...task } of tasks) update.run(JSON.stringify(task), uid + 1);
  }

  #delete(uids: readonly number[]): void {
    const remove = this.#db.prepare("DELETE FROM tasks WHERE id = ? AND work IS NULL");
    for (const uid of uids) remove.run(uid + 1);
  }

  /**
   * The start finds files with a generation in their name without a note; others could be an operator's copy.
   */
  #removeLater(uid: string, next: string | null): void {
    const file = this.#db.prepare("SELECT file FROM indexes WHERE uid = ?").get(uid)?.["file"];
    if (typeof file !== "string" || file === next || INDEX_FILE.exec(file)?.groups?.["generation"]) return;
    this.#db.prepare("INSERT OR IGNORE INTO removals VALUES (?)").run(file);
  }

  #counter(name: string): number {
    return Number(this.#db.prepare("SELECT value FROM counters WHERE name = ?").get(name)?.["value"] ?? 0);
  }

  #count(name: string, value: number): void {
    this.#db.prepare("INSERT OR REPLACE INTO counters VALUES (?, ?)").run(name, value);
  }
}

function readIndex(row: Row): CatalogIndex {
  return {
    uid: String(row["uid"]),
    file: String(row["file"]),
    createdAt: new Date(Number(row["createdAt"])),
    updatedAt: new Date(Number(row["updatedAt"])),
    // Written by `put`; the database checks its pages.
    protocol: JSON.parse(String(row["protocol"])) as ProtocolSettings,
    problem: row["problem"] === null ? null : String(row["problem"]),
    setAside: row["setAside"] === null ? null : String(row["setAside"]),
  };
}

function readTask(row: Row): Task {
  // Written by `addTask` or `#close`.
  return { uid: Number(row["id"]) - 1, ...(JSON.parse(String(row["task"])) as Omit<Task, "uid">) };
}
