/** For tests: what real clients sent (tests/fixtures/wire/cache), by the names of the files. */
import { readdirSync, readFileSync } from "node:fs";
import { isTool, type Tool } from "../contract/tools.ts";

const FOLDER = new URL("../../../tests/fixtures/wire/cache/", import.meta.url);

export interface Recording {
  /** `bazel-http-1-miss` */
  name: string;
  tool: Tool;
  /**
   * The part before the number, `bazel-http`: those of one group are played in the order of their names on one server, where an
   * entry that one of them puts is there for the next. Null without a number.
   */
  group: string | null;
  /** The end of the name: `miss`, `all-401`. */
  what: string;
  /** One for each request, in the recorder's own form. */
  entries: object[];
}

/** @throws Error for a name without a tool */
export function readRecordings(): Recording[] {
  const files = readdirSync(FOLDER).filter((name) => name.endsWith(".json"));
  return files.sort().map((file) => {
    const name = file.slice(0, -".json".length);
    const tool = name.split("-")[0] ?? "";
    if (!isTool(tool))
      throw new Error(`tests/fixtures/wire/cache/${file} does not begin with the id of a tool.`);
    const group = /^([a-z-]+)-\d-/.exec(name)?.[1] ?? null;
    const what = name.replace(/^[a-z]+-(?:http-|grpc-)?/, "");
    // As the recorder wrote it.
    const { entries } = JSON.parse(readFileSync(new URL(file, FOLDER), "utf8")) as { entries: object[] };
    return { name, tool, group, what, entries };
  });
}

/** @returns the entries of each group in their order */
export function groupEntries(recordings: readonly Recording[]): [group: string, entries: object[]][] {
  const groups = Map.groupBy(recordings, ({ group }) => group);
  return [...groups].flatMap(([group, all]): [string, object[]][] =>
    group === null ? [] : [[group, all.flatMap(({ entries }) => entries)]],
  );
}
