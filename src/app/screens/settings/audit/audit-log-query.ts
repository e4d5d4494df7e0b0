import { infiniteQueryOptions } from "@tanstack/react-query";
import { call } from "../../../data/call.ts";
import type { toAuditRequest } from "./audit-filters.ts";

const PAGE_SIZE = 100;

/** Page by page, the newest events first. */
export const auditLogQuery = (organization: string, filters: ReturnType<typeof toAuditRequest>) =>
  infiniteQueryOptions({
    queryKey: ["audit", organization, filters],
    queryFn: ({ pageParam, signal }) =>
      call(
        "OrganizationService/ListAuditEvents",
        { organization, ...filters, page_size: PAGE_SIZE, page_token: pageParam },
        { organization, signal },
      ),
    initialPageParam: "",
    getNextPageParam: ({ next_page_token: next }) => next || undefined,
  });
