/** What may answer the searches that readers made in vain, and what a change would do to all past searches. */
import type {
  NextStep,
  ProposalRow,
  Range,
  SearchAction,
  SearchEffect,
  Telemetry,
} from "#telemetry/index.ts";
import { EditError } from "./actions/edit-error.ts";
import { planAction } from "./actions/search-actions.ts";
import { changeOf, type IndexChange } from "./actions/try-action.ts";

type MissedSearch = Pick<ProposalRow, "query" | "count" | "lastDay" | "outcome">;

/** Answers from the served index, each in a thread that ends when the signal is aborted. */
export interface IndexTrials {
  propose: (
    request: { missed: readonly MissedSearch[]; steps: readonly NextStep[] },
    signal?: AbortSignal,
  ) => Promise<ProposalRow[]>;
  measureEffect: (
    request: { change: IndexChange; searches: readonly { query: string; count: number }[] },
    signal?: AbortSignal,
  ) => Promise<Omit<SearchEffect, "kept">>;
}

interface Options {
  store: Telemetry["store"];
  /** The repository. */
  root: string;
  /** Absent when no engine answers. */
  trials: IndexTrials | undefined;
}

export interface SearchProposals {
  /** Rejects with EditError for errors that the operator can fix. */
  list: (range: Range, signal: AbortSignal) => Promise<ProposalRow[]>;
  measure: (action: SearchAction, signal: AbortSignal) => Promise<SearchEffect>;
}

export function createSearchProposals({ store, root, trials }: Options): SearchProposals {
  const open = () => {
    if (trials) return trials;
    throw new EditError("This server has no search index to try changes on.");
  };
  return {
    async list(range, signal) {
      const { propose } = open();
      const [nothing, unopened, steps] = await Promise.all([
        store.ask("searches", { ...range, kind: "no-hits" }),
        store.ask("searches", { ...range, kind: "no-clicks" }),
        store.ask("nextSteps", range),
      ]);
      const missed = [...nothing.map(missedAs("nothing")), ...unopened.map(missedAs("unopened"))];
      return missed.length === 0 ? [] : propose({ missed, steps }, signal);
    },
    async measure(action, signal) {
      const change = changeOf(action);
      if (!change)
        throw new EditError("This action changes no search results, so there is no effect to measure.");
      const { measureEffect } = open();
      // There is no point in measuring an action that cannot be saved.
      await planAction(action, root);
      const { kept, searches } = await store.ask("pastSearches", {});
      const effect = await measureEffect({ change, searches }, signal).catch((cause: unknown) => {
        throw new EditError(cause instanceof Error ? cause.message : String(cause), { cause });
      });
      return { kept, ...effect };
    },
  };
}

const missedAs =
  (outcome: MissedSearch["outcome"]) =>
  ({ query, count, lastDay }: { query: string; count: number; lastDay: number }): MissedSearch => ({
    query,
    count,
    lastDay,
    outcome,
  });
