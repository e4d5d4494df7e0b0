/** The effect of an action before it is saved: nothing is written. */
import { fileOfPath } from "#docs/content/page/page-file.ts";
import type { SearchAction, SearchTrial, TrialHit } from "#telemetry/index.ts";
import { EditError } from "./edit-error.ts";
import { planAction, readerOf } from "./search-actions.ts";

export type TrySearchAction = (action: SearchAction) => Promise<SearchTrial>;

/** A change of the index that an action makes. */
export type IndexChange =
  { kind: "synonym"; words: readonly string[] } | { kind: "keyword"; keyword: string; path: string };

/** The index change of an action; null when it changes no hits. */
export function changeOf(action: SearchAction): IndexChange | null {
  if (action.kind === "synonym") return { kind: "synonym", words: action.words };
  if (action.kind === "redirect") return { kind: "keyword", keyword: action.query, path: action.path };
  return null;
}

/** Compares search results before and after a change; rejects with the reason when it cannot. */
export type TryChange = (request: {
  change: IndexChange;
  query: string;
}) => Promise<{ before: TrialHit[]; after: TrialHit[] }>;

interface Options {
  /** The repository. */
  root: string;
  /** Absent when no engine answers. */
  tryChange: TryChange | undefined;
}

/** The function rejects with EditError for errors that the operator can fix. */
export function createSearchTrials({ root, tryChange }: Options): TrySearchAction {
  const compare: TryChange = async (request) => {
    if (!tryChange) throw new EditError("This server has no search index to try the change on.");
    return tryChange(request).catch((cause: unknown) => {
      throw new EditError(cause instanceof Error ? cause.message : String(cause), { cause });
    });
  };
  return async (action) => {
    // There is no point in trying an action that cannot be saved.
    await planAction(action, root);
    switch (action.kind) {
      case "moved":
        return { kind: "lead", path: action.to, title: await titleOf(action.to, root) };
      case "synonym": {
        const { words } = action;
        // The reader's word comes first.
        const query = words[0] ?? "";
        return { kind: "hits", query, ...(await compare({ change: { kind: "synonym", words }, query })) };
      }
      case "redirect": {
        const { query, path } = action;
        const change = { kind: "keyword", keyword: query, path } as const;
        return { kind: "hits", query, ...(await compare({ change, query })) };
      }
      case "relevance-test":
        throw new EditError("A test changes no search results, so there is nothing to try.");
    }
  };
}

async function titleOf(address: string, root: string): Promise<string> {
  const [page = ""] = address.split("#");
  const text = await readerOf(root)(fileOfPath(page));
  return /^title: *(.+)$/m.exec(text)?.[1]?.replace(/^(["'])(.*)\1$/, "$2") ?? page;
}
