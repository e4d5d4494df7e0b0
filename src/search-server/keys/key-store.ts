/**
 * Meilisearch's API keys. A key's value is HMAC-SHA256 of its uid with the master key, in hexadecimal digits: it is never
 * stored, and another master key changes them all.
 */
import { createHmac, hash, randomUUID, timingSafeEqual } from "node:crypto";
import { ApiError } from "../protocol/errors.ts";
import { type Action, expandActions } from "./actions.ts";
import { type KeyRecord, openKeyFile } from "./key-file.ts";
import { MAX_API_KEYS } from "../protocol/limits.ts";

/** A known key, with data that is derived from its record. */
export interface ApiKey {
  readonly record: KeyRecord;
  readonly value: string;
  /** All actions that its record includes. */
  readonly actions: ReadonlySet<Action>;
  /** Milliseconds since 1970; null: never. */
  readonly expiresAt: number | null;
}

export type NewKey = Pick<KeyRecord, "name" | "description" | "actions" | "indexes" | "expiresAt"> & {
  uid?: string;
};

export interface KeyStore {
  isMasterKey: (value: string) => boolean;
  /** Finds a key by its value, expired or not. Takes the same time for every unknown value. */
  findByValue: (value: string) => ApiKey | undefined;
  findByUid: (uid: string) => ApiKey | undefined;
  /** Newest first. */
  list: () => ApiKey[];
  /**
   * Each of these is stored when it resolves. @throws ApiError; the system's error, then nothing has changed.
   */
  create: (key: NewKey) => Promise<ApiKey>;
  rename: (uid: string, names: Partial<Pick<KeyRecord, "name" | "description">>) => Promise<ApiKey>;
  remove: (uid: string) => Promise<void>;
  readonly clock: () => number;
}

export interface KeyStoreOptions {
  masterKey: string;
  /** Milliseconds since 1970; default `Date.now`. */
  clock?: () => number;
}

/** Keys that end with the process. */
export function createKeyStore(options: KeyStoreOptions): KeyStore {
  const clock = options.clock ?? Date.now;
  return storeOf(options.masterKey, clock, defaultRecords(clock), async () => {});
}

/**
 * The keys of a file, which is created with the default keys if it is missing.
 * @throws the system's error when the file cannot be read or made.
 */
export async function openKeyStore(
  options: KeyStoreOptions & { path: string; onProblem?: (message: string) => void },
): Promise<KeyStore> {
  const { clock = Date.now, onProblem } = options;
  const file = openKeyFile(options.path, clock);
  const { records, problem } = await file.read();
  if (problem !== undefined) onProblem?.(problem);
  const first = records ?? defaultRecords(clock);
  if (!records) await file.write(first);
  return storeOf(options.masterKey, clock, first, file.write);
}

function storeOf(
  masterKey: string,
  clock: () => number,
  records: readonly KeyRecord[],
  write: (records: readonly KeyRecord[]) => Promise<void>,
): KeyStore {
  const masterDigest = digest(masterKey);
  const held = holdKeys(
    records.map((record) => open(record, masterKey)),
    write,
  );
  const timestamp = () => new Date(clock()).toISOString();
  return {
    clock,
    isMasterKey: (value) => isEqual(digest(value), masterDigest),
    findByValue: held.findByValue,
    findByUid: (uid) => held.keys().get(uid),
    list: () => [...held.keys().values()].sort(newestFirst),
    create: ({ uid = randomUUID(), ...rest }) =>
      held.change((keys) => {
        requireRoomFor(uid, keys);
        const at = timestamp();
        const key = open({ uid, ...rest, createdAt: at, updatedAt: at }, masterKey);
        keys.set(uid, key);
        return key;
      }),
    rename: (uid, names) =>
      held.change((keys) => {
        const { record } = required(keys, uid);
        const key = open({ ...record, ...names, updatedAt: timestamp() }, masterKey);
        keys.set(uid, key);
        return key;
      }),
    remove: (uid) =>
      held.change((keys) => {
        required(keys, uid);
        keys.delete(uid);
      }),
  };
}

/** The keys on disk, by uid and by the digest of their value. */
function holdKeys(first: readonly ApiKey[], write: (records: readonly KeyRecord[]) => Promise<void>) {
  let byUid = new Map<string, ApiKey>();
  let byDigest = new Map<string, ApiKey>();
  let writing: Promise<unknown> = Promise.resolve();

  function hold(keys: Iterable<ApiKey>): void {
    byUid = new Map(Array.from(keys, (key) => [key.record.uid, key]));
    byDigest = new Map(Array.from(byUid.values(), (key) => [digest(key.value), key]));
  }
  hold(first);

  return {
    keys: (): ReadonlyMap<string, ApiKey> => byUid,
    findByValue: (value: string) => byDigest.get(digest(value)),
    /** One change after another, each on disk before it is visible, so that deleted keys do not come back. */
    change<T>(apply: (keys: Map<string, ApiKey>) => T): Promise<T> {
      const done = writing.then(async () => {
        const next = new Map(byUid);
        const result = apply(next);
        await write(Array.from(next.values(), ({ record }) => record));
        hold(next.values());
        return result;
      });
      writing = done.catch(() => {});
      return done;
    },
  };
}

/** @throws ApiError when a key has this uid, or there is no room for another key */
function requireRoomFor(uid: string, keys: ReadonlyMap<string, ApiKey>): void {
  if (keys.has(uid))
    throw new ApiError(
      "api_key_already_exists",
      `\`uid\` field value \`${uid}\` is already an existing API key.`,
    );
  if (keys.size >= MAX_API_KEYS)
    throw new ApiError(
      "bad_request",
      `There are ${keys.size} API keys, the maximum for this server. Delete unused keys.`,
    );
}

export function keyNotFound(named: string): ApiError {
  return new ApiError("api_key_not_found", `API key \`${named.slice(0, 100)}\` not found.`);
}

function required(keys: ReadonlyMap<string, ApiKey>, uid: string): ApiKey {
  const key = keys.get(uid);
  if (!key) throw keyNotFound(uid);
  return key;
}

/** Dates of one format compare as texts. */
function newestFirst({ record: a }: ApiKey, { record: b }: ApiKey): number {
  return a.createdAt === b.createdAt ? 0 : a.createdAt < b.createdAt ? 1 : -1;
}

function open(record: KeyRecord, masterKey: string): ApiKey {
  return {
    record,
    value: createHmac("sha256", masterKey).update(record.uid).digest("hex"),
    actions: expandActions(record.actions),
    expiresAt: record.expiresAt === null ? null : Date.parse(record.expiresAt),
  };
}

/** The keys that Meilisearch has at its first start. */
function defaultRecords(clock: () => number): KeyRecord[] {
  const at = new Date(clock()).toISOString();
  const record = (name: string, description: string, action: Action): KeyRecord => ({
    uid: randomUUID(),
    name,
    description,
    actions: [action],
    indexes: ["*"],
    expiresAt: null,
    createdAt: at,
    updatedAt: at,
  });
  return [
    record("Default Search API Key", "Use it to search from the frontend", "search"),
    record(
      "Default Admin API Key",
      "Use it for anything that is not a search operation. Caution! Do not expose it on a public frontend",
      "*",
    ),
  ];
}

/** Digests have one length and hide the text: comparing them does not show how near a guess was. */
function digest(text: string): string {
  return hash("sha256", text, "base64url");
}

function isEqual(one: string, other: string): boolean {
  return timingSafeEqual(Buffer.from(one), Buffer.from(other));
}
