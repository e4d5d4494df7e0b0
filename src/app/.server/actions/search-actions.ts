/** The operator's action on a search: a change of the repository's files, written in development and a patch otherwise. */
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import * as z from "zod";
import { fileOfPath } from "#docs/content/page/page-file.ts";
import { redirectSchema } from "#docs/content/navigation/redirects.ts";
import { writeDurably } from "#platform/files/durable.ts";
import type { SearchAction, SearchActionResult } from "#telemetry/index.ts";
import { EditError } from "./edit-error.ts";
import { addKeyword, addRelevanceTest, addSynonyms } from "./edit-files.ts";
import { planMove } from "./plan-move.ts";
import { unifiedDiff } from "./unified-diff.ts";

/** The mode of new files: users other than the server's also read the repository. */
const READABLE_FOR_ALL = 0o666;

// No control characters: the text must stay on its line.
const text = z
  .string()
  .trim()
  .min(1, "must not be empty")
  .max(200)
  .regex(/^[^\p{Cc}\p{Zl}\p{Zp}]*$/u, "must be one line");
const path = z
  .string()
  .regex(/^\/docs(?:\/[a-z0-9][a-z0-9-]*)*(?:#[\w.-]+)?$/, "is not a documentation path");

export const actionSchema: z.ZodType<SearchAction> = z.discriminatedUnion("kind", [
  z.strictObject({ kind: z.literal("relevance-test"), query: text, path, within: z.literal([1, 3, 5]) }),
  z.strictObject({
    kind: z.literal("synonym"),
    words: z.array(text.max(80)).min(2, "needs at least two words").max(12),
  }),
  z.strictObject({ kind: z.literal("redirect"), query: text.max(80), path }),
  redirectSchema.extend({ kind: z.literal("moved") }),
]);

export interface SearchActionOptions {
  /** The repository. */
  root: string;
  /** Whether the file is written (development) or only the patch is made. */
  isWritable: boolean;
}

export type RunSearchAction = (action: SearchAction) => Promise<SearchActionResult>;

/** Reads a file of the repository. @throws EditError */
export const readerOf =
  (root: string) =>
  async (file: string): Promise<string> => {
    try {
      return await readFile(join(root, file), "utf8");
    } catch (cause) {
      throw new EditError(`${file} cannot be read: the server must run in a checkout of the repository.`, {
        cause,
      });
    }
  };

/** The function rejects with EditError for errors that the operator can fix. */
export function createSearchActions({ root, isWritable }: SearchActionOptions): RunSearchAction {
  return async (action) => {
    const { file, before, after } = await planAction(action, root);
    const patch = unifiedDiff(file, before, after);
    if (isWritable) await writeDurably(join(root, file), after, READABLE_FOR_ALL);
    return { file, isWritten: isWritable, patch };
  };
}

/** The file change that an action makes. @throws EditError */
export async function planAction(action: SearchAction, root: string) {
  const read = readerOf(root);
  switch (action.kind) {
    case "synonym": {
      const file = "content/synonyms.yaml";
      const before = await read(file);
      return { file, before, after: addSynonyms(before, unique(action.words)) };
    }
    case "redirect": {
      const file = await pageFile(action.path, read);
      const before = await read(file);
      return { file, before, after: addKeyword(before, action.query) };
    }
    case "moved": {
      await pageFile(action.to, read);
      return planMove(action, read, root);
    }
    case "relevance-test": {
      await pageFile(action.path, read);
      const file = await relevanceFile(action.path, read, root);
      const before = await read(file);
      return { file, before, after: addRelevanceTest(before, action) };
    }
  }
}

function unique(words: readonly string[]): string[] {
  const byKey = new Map(words.map((word) => [word.toLowerCase(), word]));
  if (byKey.size < 2) throw new EditError("A synonym needs at least two different words.");
  return [...byKey.values()];
}

/** A page's file. @throws EditError when there is no such page or anchor */
async function pageFile(address: string, read: (file: string) => Promise<string>): Promise<string> {
  const [page = "", anchor] = address.split("#");
  const file = fileOfPath(page);
  await read(file).catch((cause: unknown) => {
    throw new EditError(`There is no page ${page}. Enter a path like /docs/cache/overview.`, { cause });
  });
  if (anchor === undefined) return file;
  const anchors = JSON.parse(await read("content/anchors.json")) as { [page: string]: string[] };
  if (!anchors[page]?.includes(anchor)) throw new EditError(`The page ${page} has no anchor #${anchor}.`);
  return file;
}

/** The file that already tests this page, or pages of its section; `top.yaml` otherwise. */
async function relevanceFile(
  address: string,
  read: (file: string) => Promise<string>,
  root: string,
): Promise<string> {
  const folder = "tests/relevance";
  const [page = ""] = address.split("#");
  const section = page.split("/").slice(0, 3).join("/");
  const names = (await readdir(join(root, folder)).catch(() => []))
    .filter((name) => name.endsWith(".yaml"))
    .sort();
  const texts = await Promise.all(
    names.map(async (name) => ({ file: `${folder}/${name}`, text: await read(`${folder}/${name}`) })),
  );
  const asks = (path: string, end: string) =>
    texts.find(({ text }) => `\n${text}`.includes(`\n${path}${end}`))?.file;
  return asks(address, ":") ?? asks(page, ":") ?? asks(section, "/") ?? `${folder}/top.yaml`;
}
