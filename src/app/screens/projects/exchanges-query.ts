import { queryOptions } from "@tanstack/react-query";
import type { Exchange } from "#api/gen/json-types.ts";
import { call } from "../../data/call.ts";

/** The number that the server keeps for a project. */
const MAX_EXCHANGES = 100;

/** The latest exchanges of CI jobs, newest first, of one project or of all. */
export const exchangesQuery = (organization: string, projectId = "") =>
  queryOptions({
    queryKey: ["exchanges", organization, projectId],
    queryFn: async ({ signal }): Promise<Exchange[]> => {
      const { exchanges } = await call(
        "TokenService/ListExchanges",
        { page_size: MAX_EXCHANGES, ...(projectId !== "" && { project_id: projectId }) },
        { organization, signal },
      );
      return exchanges;
    },
  });
