import { keepPreviousData, useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { useEffect, useMemo } from "react";
import type { Build } from "#api/gen/json-types.ts";
import { useAddress } from "../../data/address.ts";
import { useOrganization } from "../../data/organization.ts";
import { projectsQuery, readPages } from "../../data/queries.ts";
import type { TablePages, TableSource } from "../../ui/table/table-types.ts";
import { buildsQuery, readBuildFilters } from "./build-queries.ts";

/** Number of builds read at once, to be sorted here; the next page is read when the reader comes near the end. */
const READ_AT_ONCE = 300;

export interface Builds {
  source: TableSource<Build>;
  pages: TablePages<Build>;
  /** The builds read so far. */
  all: readonly Build[];
  /** By state, regardless of the chosen result; undefined while they are read. */
  counts: Record<string, number> | undefined;
}

/** The builds that the address names, as far as they are read. The server searches and filters. */
export function useBuilds(): Builds {
  const { name: organization } = useOrganization();
  const { params } = useAddress();
  const { data: projects } = useQuery(projectsQuery(organization));
  const project = params.get("project") ?? "";
  const projectId = projects?.find(({ name }) => name === project)?.id;
  // An unknown project's name: no build matches.
  const isKnown = project === "" || projectId !== undefined;
  const filters = useMemo(() => readBuildFilters(params, projectId), [params, projectId]);
  const query = useInfiniteQuery({
    ...buildsQuery(organization, filters),
    enabled: isKnown,
    placeholderData: keepPreviousData,
  });
  const { data, error, dataUpdatedAt, refetch, hasNextPage, isFetching, isFetchingNextPage, fetchNextPage } =
    query;
  const read = useMemo(() => data?.pages.flatMap(({ builds }) => builds), [data]);
  const all = isKnown ? read : projects ? NONE : undefined;
  const count = all?.length ?? 0;
  useEffect(() => {
    if (hasNextPage && !isFetching && !error && count < READ_AT_ONCE) void fetchNextPage();
  }, [hasNextPage, isFetching, error, count, fetchNextPage]);
  return {
    all: all ?? NONE,
    counts: isKnown ? data?.pages[0]?.counts : {},
    source: { data: all, error, dataUpdatedAt, refetch },
    pages: {
      hasMore: hasNextPage && isKnown,
      isWhole: !hasNextPage,
      isLoading: isFetchingNextPage,
      loadMore: () => void fetchNextPage(),
      readAll: async function* (signal) {
        for await (const { builds } of readPages("BuildService/ListBuilds", {
          request: filters,
          organization,
          signal,
        }))
          yield builds;
      },
    },
  };
}

const NONE: readonly Build[] = [];
