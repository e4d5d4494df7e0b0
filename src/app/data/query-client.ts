import { QueryClient } from "@tanstack/react-query";
import { CallError } from "./call.ts";

const RETRIES = 2;

/** Events report changes (`live.ts`), so that nothing is read again only because time has passed. */
export function createQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: 30_000,
        gcTime: 10 * 60_000,
        retry: (failures, error) => failures < RETRIES && isPassing(error),
        refetchOnWindowFocus: false,
        // The stream reports when the connection is back.
        networkMode: "always",
      },
      mutations: { networkMode: "always", retry: false },
    },
  });
}

/** Whether retrying may help: the server repeats its refusals. */
function isPassing(error: Error): boolean {
  return !(error instanceof CallError) || error.status === 0 || error.status >= 500;
}
