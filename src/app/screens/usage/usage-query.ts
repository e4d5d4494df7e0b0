import { queryOptions } from "@tanstack/react-query";
import { call } from "../../data/call.ts";
import { dayOf, type Span } from "./months.ts";

/** Of an organization or of one project. Asked for whole days, so that the key stays the same while the clock goes. */
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
