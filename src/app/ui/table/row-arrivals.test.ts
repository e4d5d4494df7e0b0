/**
 * 1. Without holding, the rows are the current ones.
 * 2. Held rows keep their order whatever arrives, leaves or moves; their contents are the latest ones.
 * 3. Each new row waits and is counted once, except those after the last known row, which move nothing and are shown; no
 *    row is both shown and waiting, and none is lost.
 * 4. Removed rows keep their places under the pointer and are marked, and disappear otherwise.
 */
import fc from "fast-check";
import { expect, test } from "vitest";
import { arrangeRows } from "./row-arrivals.ts";

interface Row {
  id: number;
  version: number;
}
const keyOf = ({ id }: Row) => String(id);
const ids = (rows: readonly Row[]) => rows.map(({ id }) => id);
const list = (version: number) =>
  fc.uniqueArray(fc.nat(12), { maxLength: 10 }).map((all) => all.map((id): Row => ({ id, version })));

test("1. at rest", () => {
  fc.assert(
    fc.property(list(2), (latest) => {
      expect(arrangeRows({ former: null, latest, keyOf, keepsGone: true })).toEqual({
        rows: latest,
        waiting: 0,
        gone: new Set(),
      });
    }),
  );
});

test("2. 3. 4. held", () => {
  fc.assert(
    fc.property(list(1), list(2), fc.boolean(), (former, latest, keepsGone) => {
      const { rows, waiting, gone } = arrangeRows({ former, latest, keyOf, keepsGone });
      const now = new Set(ids(latest));
      const isNew = (id: number) => !ids(former).includes(id);
      let trailing = 0;
      while (trailing < latest.length && isNew(ids(latest).at(-1 - trailing) ?? NaN)) trailing++;
      const shown = ids(latest).slice(latest.length - trailing);
      expect(ids(rows)).toEqual([...ids(former).filter((id) => keepsGone || now.has(id)), ...shown]);
      expect(waiting).toBe(ids(latest).filter(isNew).length - trailing);
      expect([...gone].map(Number)).toEqual(keepsGone ? ids(former).filter((id) => !now.has(id)) : []);
      for (const row of rows) expect(row.version).toBe(now.has(row.id) ? 2 : 1);
    }),
  );
});
