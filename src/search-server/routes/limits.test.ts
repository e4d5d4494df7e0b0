/**
 * 1. Lists and objects in bodies of the admin routes have caps that their errors name, and none of their entries is checked
 *    beyond them.
 * 2. A swap has two indexes, and none of another number is checked.
 */
import { afterAll, beforeAll, expect, test } from "vitest";
import { ACTIONS } from "../keys/actions.ts";
import { DEFAULT_LIMITS, MAX_KEY_INDEXES, MAX_OBJECT_KEYS } from "../protocol/limits.ts";
import { MASTER_KEY, startKeyedApp } from "../testing/keys.ts";
import { errorSchema } from "../testing/requests.ts";

let session: Awaited<ReturnType<typeof startKeyedApp>>;
beforeAll(async () => void (session = await startKeyedApp()));
afterAll(() => session.content.close());

async function refusalOf(method: string, path: string, body: unknown) {
  const response = await session.ask(method, path, { key: MASTER_KEY, body });
  expect(response.status).toBe(400);
  const { code, message } = errorSchema.parse(await response.json());
  return `${code}: ${message}`;
}

/** Entries of a wrong type. */
const listOf = (count: number): number[] => Array.from({ length: count }, () => 1);
const objectOf = (count: number) =>
  Object.fromEntries(Array.from({ length: count }, (_, at) => [`n${at}`, 1]));
const key = { actions: ["search"], indexes: ["*"], expiresAt: null };

const capped: [request: string, field: string, most: number, of: (count: number) => unknown][] = [
  ["POST /keys", "actions", ACTIONS.length, (count) => ({ ...key, actions: listOf(count) })],
  ["POST /keys", "indexes", MAX_KEY_INDEXES, (count) => ({ ...key, indexes: listOf(count) })],
  ["POST /swap-indexes", "", DEFAULT_LIMITS.swapsPerRequest, listOf],
  ["PATCH /experimental-features", "", MAX_OBJECT_KEYS, objectOf],
];

test.each(capped)("1. %s %s", async (request, field, most, bodyOf) => {
  const [method = "", path = ""] = request.split(" ");
  const code = field === "" ? "bad_request" : `invalid_api_key_${field}`;
  const where = field === "" ? "" : ` at \`.${field}\``;
  expect(await refusalOf(method, path, bodyOf(most + 1))).toBe(
    `${code}: Invalid value${where}: ${most + 1} items were sent; this server accepts at most ${most}.`,
  );
  expect(await refusalOf(method, path, bodyOf(most))).toMatch(/: Invalid value type at /);
});

test.each<[indexes: unknown, message: string]>([
  ...[0, 1, 3, 60_000].map((count): [unknown, string] => [
    listOf(count),
    "Invalid value at `[0].indexes`: two indexes must be given for each swap",
  ]),
  [listOf(2), "Invalid value type at `[0].indexes[0]`: expected a string, but found a positive integer: `1`"],
  ["docs", 'Invalid value type at `[0].indexes`: expected an array, but found a string: `"docs"`'],
])("2. a swap", async (indexes, message) => {
  expect(await refusalOf("POST", "/swap-indexes", [{ indexes }])).toBe(`invalid_swap_indexes: ${message}`);
});
