import { keepPreviousData, useInfiniteQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import type { AuditEvent } from "#api/gen/json-types.ts";
import { useAddress } from "../../../data/address.ts";
import { useOrganization } from "../../../data/organization.ts";
import { readPages } from "../../../data/queries.ts";
import type { TablePages, TableSource } from "../../../ui/table/table-types.ts";
import { useDebounced } from "../use-debounced.ts";
import { toAuditRequest } from "./audit-filters.ts";
import { auditLogQuery } from "./audit-log-query.ts";

const WAIT_MS = 250;

export interface AuditLog {
  source: TableSource<AuditEvent>;
  pages: TablePages<AuditEvent>;
  /** Whether filters are set: an empty list does not mean an empty log. */
  isFiltered: boolean;
}

/** The log as far as it was scrolled; the server searches and filters. */
export function useAuditLog(): AuditLog {
  const { name: organization } = useOrganization();
  const { params } = useAddress();
  const filters = useDebounced(toAuditRequest(params), WAIT_MS);
  const query = useInfiniteQuery({
    ...auditLogQuery(organization, filters),
    placeholderData: keepPreviousData,
  });
  const { data, error, dataUpdatedAt, refetch, hasNextPage, isFetchingNextPage, fetchNextPage } = query;
  const events = useMemo(() => data?.pages.flatMap((page) => page.events), [data]);
  return {
    source: { data: events, error, dataUpdatedAt, refetch },
    pages: {
      hasMore: hasNextPage,
      isLoading: isFetchingNextPage,
      loadMore: () => void fetchNextPage(),
      readAll: async function* (signal) {
        const pages = readPages("OrganizationService/ListAuditEvents", {
          request: { organization, ...filters },
          organization,
          signal,
        });
        for await (const page of pages) yield page.events;
      },
    },
    isFiltered: Object.keys(filters).length > 0,
  };
}
