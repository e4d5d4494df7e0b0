import { keepPreviousData, useInfiniteQuery } from "@tanstack/react-query";
import { useEffect, useMemo } from "react";
import type { Image, Project } from "#api/gen/json-types.ts";
import { useAddress } from "../../data/address.ts";
import { useOrganization } from "../../data/organization.ts";
import { readPages } from "../../data/queries.ts";
import type { TablePages, TableSource } from "../../ui/table/table-types.ts";
import { imagesQuery, readImageFilters } from "./image-queries.ts";

/** Number of images read at once, to be sorted here; the next page is read when the reader comes near the end. */
const READ_AT_ONCE = 500;

export interface Images {
  source: TableSource<Image>;
  pages: TablePages<Image>;
  /** The images read so far, for all platforms. */
  all: readonly Image[];
}

/** The images of a project as far as they are read. The server searches; platforms are filtered here. */
export function useImages({ id }: Project): Images {
  const { name: organization } = useOrganization();
  const { params } = useAddress();
  const filters = readImageFilters(params);
  const platform = params.get("platform") ?? "";
  const query = useInfiniteQuery({
    ...imagesQuery(organization, id, filters),
    // Only for the same project: another project's images would look like its own.
    placeholderData: (former, formerQuery) =>
      formerQuery?.queryKey[3] === id ? keepPreviousData(former) : undefined,
  });
  const { data, error, dataUpdatedAt, refetch, hasNextPage, isFetching, isFetchingNextPage, fetchNextPage } =
    query;
  const all = useMemo(() => data?.pages.flatMap(({ images }) => images), [data]);
  const shown = useMemo(() => all && ofPlatform(all, platform), [all, platform]);
  const count = all?.length ?? 0;
  useEffect(() => {
    if (hasNextPage && !isFetching && !error && count < READ_AT_ONCE) void fetchNextPage();
  }, [hasNextPage, isFetching, error, count, fetchNextPage]);
  return {
    all: all ?? NONE,
    source: { data: shown, error, dataUpdatedAt, refetch },
    pages: {
      hasMore: hasNextPage,
      isWhole: !hasNextPage,
      isLoading: isFetchingNextPage,
      loadMore: () => void fetchNextPage(),
      readAll: async function* (signal) {
        const request = { project_id: id, ...filters };
        for await (const { images } of readPages("ImageService/List", { request, organization, signal }))
          yield ofPlatform(images, platform);
      },
    },
  };
}

const NONE: readonly Image[] = [];

const ofPlatform = (images: readonly Image[], platform: string) =>
  platform === "" ? images : images.filter(({ platforms }) => platforms.includes(platform));
