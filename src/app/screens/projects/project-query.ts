import { type QueryClient, queryOptions } from "@tanstack/react-query";
import type { Project } from "#api/gen/json-types.ts";
import { call, CallError } from "../../data/call.ts";
import { projectsQuery, readPages } from "../../data/queries.ts";

const isId = (reference: string) => reference.startsWith("prj_");

interface Input {
  organization: string;
  /** A name or an id. */
  reference: string;
}

/** One project; null when the organization has none of that name. */
export function projectQuery(client: QueryClient, { organization, reference }: Input) {
  const queryKey = ["projects", organization, reference];
  // If someone has renamed it while it was shown, its id still finds it.
  const findRenamed = (signal: AbortSignal) => {
    const id = client.getQueryData<Project | null>(queryKey)?.id;
    return id ? getProject({ organization, reference: id }, signal) : null;
  };
  return queryOptions({
    queryKey,
    queryFn: ({ signal }): Promise<Project | null> =>
      isId(reference)
        ? getProject({ organization, reference }, signal)
        : findByName({ organization, reference }, signal).then((found) => found ?? findRenamed(signal)),
    initialData: () => client.getQueryData(projectsQuery(organization).queryKey)?.find(fits(reference)),
    initialDataUpdatedAt: () => client.getQueryState(projectsQuery(organization).queryKey)?.dataUpdatedAt,
  });
}

const fits =
  (reference: string) =>
  ({ id, name }: Project) =>
    id === reference || name === reference;

async function getProject({ organization, reference }: Input, signal: AbortSignal): Promise<Project | null> {
  try {
    const { project } = await call("ProjectService/Get", { project_id: reference }, { organization, signal });
    return project ?? null;
  } catch (error) {
    if (error instanceof CallError && error.code === "not_found") return null;
    throw error;
  }
}

/** Pages are sorted by name, so that those after the name are not read. */
async function findByName({ organization, reference }: Input, signal: AbortSignal): Promise<Project | null> {
  for await (const { projects } of readPages("ProjectService/List", { organization, signal })) {
    const found = projects.find(fits(reference));
    if (found) return found;
  }
  return null;
}
