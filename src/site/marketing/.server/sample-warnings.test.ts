/**
 * 1. Each wall that shows samples is named, with the file and a fix. 2. A wall without samples, or without names,
 * is not. 3. The shipped file has samples in both walls, and its schema requires the word "sample" in their labels.
 * 4. A build keeps the sentences for the start.
 */
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parse } from "yaml";
import { expect, it } from "vitest";
import { homeSchema } from "./schema.ts";
import { HOME_FILE, readSampleWarnings, sampleWarnings, writeSampleWarnings } from "./sample-warnings.ts";

const shipped = readFileSync(new URL("../../../../content/marketing/home.yaml", import.meta.url), "utf8");
const wall = (isSample: boolean, names: string[]) => ({ isSample, names });

it("(1, 3) names both walls of the shipped file", () => {
  expect(sampleWarnings(homeSchema.parse(parse(shipped)))).toEqual(
    ["customers", "partners"].map(
      (key) =>
        `The home page shows sample ${key}. Put your own into ${HOME_FILE} (${key}.names, ${key}.label) and remove "isSample: true", or leave ${key}.names empty to show none.`,
    ),
  );
});

it("(2) says nothing of real names and of empty walls", () => {
  expect(sampleWarnings({ customers: wall(false, ["a"]), partners: wall(true, []) })).toEqual([]);
  expect(sampleWarnings({ customers: wall(true, ["a"]), partners: wall(false, ["a"]) })).toEqual([
    expect.stringContaining("sample customers"),
  ]);
});

it("(3) refuses samples that are not called so", () => {
  const home = parse(shipped) as { customers: { label: string } };
  home.customers.label = "Teams that ship through Millrace";
  const { error } = homeSchema.safeParse(home);
  expect(error?.issues.map(({ path, message }) => `${path.join(".")}: ${message}`)).toEqual([
    'customers.label: must contain the word "sample" while isSample is true',
  ]);
});

it("(4) a build keeps them for the start; a build of an earlier release has none", async () => {
  const folder = mkdtempSync(join(tmpdir(), "warnings-"));
  expect(readSampleWarnings(folder)).toEqual([]);
  const walls = { customers: wall(true, ["a"]), partners: wall(false, []) };
  await writeSampleWarnings(folder, walls);
  expect(readSampleWarnings(folder)).toEqual(sampleWarnings(walls));
  expect(sampleWarnings(walls)).toHaveLength(1);
  rmSync(folder, { recursive: true });
});
