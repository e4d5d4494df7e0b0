/**
 * A corpus for bench/search.ts out of any folder of Markdown:
 *
 *   node bench/make-corpus.ts <folder> <name>     writes bench/.corpora/<name>.ndjson and <name>.queries.json
 */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { makeQueries } from "./search/make-queries.ts";
import { readMarkdownFolder } from "./search/read-markdown.ts";

const [folder, name] = process.argv.slice(2);
if (!folder || !name) {
  console.error("Usage: node bench/make-corpus.ts <folder of Markdown> <name of the corpus>");
  process.exit(1);
}
const site = readMarkdownFolder(folder);
if (site.records.length === 0) {
  console.error(`${folder} has no .md or .mdx files.`);
  process.exit(1);
}
const queries = makeQueries(site);
const target = process.env.BENCH_DATA ?? join(import.meta.dirname, ".corpora");
mkdirSync(target, { recursive: true });
writeFileSync(
  join(target, `${name}.ndjson`),
  site.records.map((record) => `${JSON.stringify(record)}\n`).join(""),
);
writeFileSync(join(target, `${name}.queries.json`), JSON.stringify(queries, null, 1));
const counts = [...Map.groupBy(queries, (query) => query.class)].map(
  ([kind, some]) => `${kind} ${some.length}`,
);
console.log(`${name}: ${site.records.length} records; ${counts.join(", ")}`);
