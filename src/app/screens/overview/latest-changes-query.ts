import { queryOptions } from "@tanstack/react-query";
import type { AuditEvent } from "#api/gen/json-types.ts";
import { call } from "../../data/call.ts";

const MAX_READ = 40;
const MAX_SHOWN = 8;

export const latestChangesQuery = (organization: string) =>
  queryOptions({
    queryKey: ["audit", organization, "latest"],
    queryFn: async ({ signal }): Promise<AuditEvent[]> => {
      const { events } = await call(
        "OrganizationService/ListAuditEvents",
        { organization, page_size: MAX_READ },
        { organization, signal },
      );
      // Jobs are among the figures; here they would push out people's changes.
      return events.filter(({ details }) => details["type"] !== "job").slice(0, MAX_SHOWN);
    },
  });
