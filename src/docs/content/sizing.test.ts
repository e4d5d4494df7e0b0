/**
 * The example on the page about sizing:
 * 1. Its factors are the facts' values, and its results are their products and sums.
 * 2. The memory of the server's process is what the Kubernetes manifest allows.
 */
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { loadFacts } from "./facts/facts.ts";

const page = readFileSync("content/docs/managed/overview/sizing.mdx", "utf8");
const { limits } = loadFacts(process.cwd()).facts.limits;

/** `50 GB` → 50 */
function numberOf(id: string): number {
  const limit = limits.find((each) => each.id === id);
  if (!limit) throw new Error(`There is no limit ${id}`);
  return parseFloat(limit.value);
}

/** `| Layer caches | 20 projects × <Fact id="layer-cache.size" /> | 1,000 GB |` → 20, 50 and 1000 */
function rowOf(name: string): { sum: number[]; result: number } {
  const rows = [...page.matchAll(/^\| ([^|]+) \| ([^|]+) \| ([\d,]+) (?:GB|CPUs) \|$/gm)];
  const [, , sum = "", result = ""] = rows.find(([, label]) => label === name) ?? [];
  const filled = sum.replaceAll(/<Fact id="([^"]+)" \/>/g, (_, id: string) => String(numberOf(id)));
  return {
    sum: (filled.match(/\d+/g) ?? []).map(Number),
    result: Number(result.replaceAll(",", "")),
  };
}

const cpus = numberOf("builder.size");
const memory = cpus * numberOf("builder.memory");

test("1. the example", () => {
  expect(rowOf("CPUs")).toEqual({ sum: [4, cpus, 1], result: 4 * cpus + 1 });
  const share = numberOf("builder.machine-memory");
  expect(rowOf("Memory")).toEqual({ sum: [4, memory, share], result: (4 * memory * 100) / share });
  const layers = numberOf("layer-cache.size");
  expect(rowOf("Layer caches")).toEqual({ sum: [20, layers], result: 20 * layers });
  const cache = numberOf("cache.quota");
  expect(rowOf("Cache of build tools")).toEqual({ sum: [3, cache], result: 3 * cache });
  const images = [numberOf("registry.quota"), numberOf("mirror.quota")];
  expect(rowOf("Images, own and others'")).toEqual({ sum: images, result: images[0]! + images[1]! });
  const all = ["Layer caches", "Cache of build tools", "Images, own and others'"].map(
    (name) => rowOf(name).result,
  );
  expect(rowOf("Disk").result).toBe(all.reduce((sum, each) => sum + each));
});

test("2. the server's process", () => {
  expect(page).toContain("| The server's process | 1 | 1 GiB,");
  expect(readFileSync("deploy/kubernetes/server.yaml", "utf8")).toContain("limits: { memory: 1Gi }");
});
