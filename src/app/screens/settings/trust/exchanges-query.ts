import { queryOptions } from "@tanstack/react-query";
import type { Exchange } from "#api/gen/json-types.ts";
import { readPages } from "../../../data/queries.ts";

const WEEK_MS = 7 * 86_400_000;
/** For all projects together: beyond it, the list's figures are minimums. */
const MAX_READ = 1_000;

/** Exchanges of the last seven days, newest first. */
export const exchangesQuery = (organization: string) =>
  queryOptions({
    queryKey: ["exchanges", organization],
    queryFn: async ({ signal }): Promise<Exchange[]> => {
      const all: Exchange[] = [];
      const since = Date.now() - WEEK_MS;
      for await (const { exchanges } of readPages("TokenService/ListExchanges", { organization, signal })) {
        all.push(...exchanges);
        const oldest = Date.parse(exchanges.at(-1)?.time ?? "");
        if (!(oldest >= since) || all.length >= MAX_READ) break;
      }
      return all;
    },
  });
