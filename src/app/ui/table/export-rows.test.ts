/**
 * 1. CSV has one head and every row of every page, whatever the sizes of pages; JSON is a list of the same values.
 * 2. Formulas that a spreadsheet would run are written as text.
 * 3. A stop between two pages ends the export with nothing saved; progress counts rows.
 */
import fc from "fast-check";
import { expect, test } from "vitest";
import { exportRows } from "./export-rows.ts";

interface Row {
  name: string;
  count: number | null;
}
const columns = [
  { key: "name", label: "Name", value: ({ name }: Row) => name, render: () => null },
  { key: "count", label: "Count", value: ({ count }: Row) => count, render: () => null },
];

async function* paged(rows: readonly Row[], size: number) {
  for (let at = 0; at < rows.length; at += size) yield rows.slice(at, at + size);
}

async function write(
  format: "csv" | "json",
  pages: AsyncIterable<readonly Row[]>,
  signal = new AbortController().signal,
) {
  const counts: number[] = [];
  const file = await exportRows({
    format,
    columns,
    pages,
    signal,
    onProgress: (count) => counts.push(count),
  });
  return { text: await file.text(), type: file.type, counts };
}

test("1. every row of every page", async () => {
  const row = fc.record({ name: fc.string({ unit: "grapheme" }), count: fc.option(fc.integer()) });
  await fc.assert(
    fc.asyncProperty(fc.array(row, { maxLength: 9 }), fc.integer({ min: 1, max: 4 }), async (rows, size) => {
      const json = await write("json", paged(rows, size));
      expect(JSON.parse(json.text)).toEqual(rows);
      const csv = await write("csv", paged(rows, size));
      expect(csv.text).toBe((await write("csv", paged(rows, 100))).text);
      expect(csv.text.startsWith("name,count\r\n")).toBe(true);
    }),
  );
  expect((await write("csv", paged([], 1))).text).toBe("name,count\r\n");
});

test("2. formulas", async () => {
  const rows = [
    { name: '=HYPERLINK("http://evil.example")', count: -1 },
    { name: "@SUM(A1), +1", count: null },
  ];
  expect((await write("csv", paged(rows, 1))).text).toBe(
    'name,count\r\n"\'=HYPERLINK(""http://evil.example"")",-1\r\n"\'@SUM(A1), +1",\r\n',
  );
});

test("3. stopped", async () => {
  const controller = new AbortController();
  async function* pages() {
    yield [{ name: "a", count: 1 }];
    controller.abort();
    yield [{ name: "b", count: 2 }];
  }
  await expect(write("json", pages(), controller.signal)).rejects.toThrow(/abort/i);
  const rows = ["a", "b", "c"].map((name) => ({ name, count: 0 }));
  expect((await write("json", paged(rows, 2))).counts).toEqual([2, 3]);
});
