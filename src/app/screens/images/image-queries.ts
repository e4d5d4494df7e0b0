/** Queries of the image pages. The server reports pushes and deletions; pulls appear with the next read. */
import { infiniteQueryOptions, queryOptions } from "@tanstack/react-query";
import type { ImageRepository } from "#api/gen/json-types.ts";
import { call, CallError } from "../../data/call.ts";
import { readWhole } from "../../data/queries.ts";

const IMAGES_PER_PAGE = 100;
const MAX_QUERY_LENGTH = 200;
const AGAIN_MS = 30_000;

/** Projects without images are left out. */
export const repositoriesQuery = (organization: string) =>
  queryOptions({
    queryKey: ["images", organization, "repositories"],
    queryFn: ({ signal }): Promise<ImageRepository[]> =>
      readWhole("ImageService/ListRepositories", (page) => page.repositories, { organization, signal }),
  });

export interface ImageFilters {
  query: string;
  without_saved_builds: boolean;
}

/** The address's parameters as the server's filters: `q`, and `saved=1` to include saved builds. */
export const readImageFilters = (params: URLSearchParams): ImageFilters => ({
  query: (params.get("q") ?? "").trim().slice(0, MAX_QUERY_LENGTH),
  without_saved_builds: params.get("saved") !== "1",
});

/** The newest first, page by page. */
export const imagesQuery = (organization: string, projectId: string, filters: ImageFilters) =>
  infiniteQueryOptions({
    queryKey: ["images", organization, "list", projectId, filters],
    queryFn: ({ pageParam, signal }) =>
      call(
        "ImageService/List",
        { project_id: projectId, ...filters, page_size: IMAGES_PER_PAGE, page_token: pageParam },
        { organization, signal },
      ),
    initialPageParam: "",
    getNextPageParam: ({ next_page_token: next }) => next || undefined,
  });

/** The image's platforms with their layers, and its referrers; null when there is no such image. */
export const imageQuery = (organization: string, projectId: string, reference: string) =>
  queryOptions({
    queryKey: ["images", organization, "one", projectId, reference],
    refetchInterval: AGAIN_MS,
    queryFn: async ({ signal }) => {
      const request = { project_id: projectId, reference };
      try {
        return await call("ImageService/Get", request, { organization, signal });
      } catch (error) {
        if (error instanceof CallError && error.code === "not_found") return null;
        throw error;
      }
    },
  });
