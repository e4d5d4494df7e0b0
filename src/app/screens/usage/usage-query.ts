import { queryOptions } from "@tanstack/react-query";
import { call } from "../../data/call.ts";
import { dayOf, type Span } from "./months.ts";

/** For an organization or one project. Asks for whole days, so that the key does not change with the clock. */
export const usageQuery = (organization: string, span: Span, projectId = "") =>
  queryOptions({
    queryKey: ["usage", organization, projectId, dayOf(span.from.getTime()), dayOf(span.to.getTime())],
    queryFn: ({ signal }) =>
      call(
        "UsageService/GetUsage",
        {
          from: span.from.toISOString(),
          to: span.to.toISOString(),
          ...(projectId !== "" && { project_id: projectId }),
        },
        { organization, signal },
      ),
  });
