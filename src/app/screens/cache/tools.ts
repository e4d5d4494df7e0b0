/** The build tools that the cache serves, with the names from `content/facts/cache.yaml`. */
export interface CacheTool {
  id: string;
  name: string;
  /** The tool's protocol for the cache. */
  how: string;
  /** Requested entries, and the work that they save. */
  saves: string;
  page: string;
}

const tool = (id: string, name: string, how: string, saves: string): CacheTool => ({
  id,
  name,
  how,
  saves,
  page: `/docs/cache/reference/${id}`,
});

export const CACHE_TOOLS: readonly CacheTool[] = [
  tool(
    "bazel",
    "Bazel",
    "HTTP or gRPC",
    "Bazel asks this cache before it runs an action. An action with the same inputs is not run again, on any machine.",
  ),
  tool(
    "gocache",
    "Go",
    "millrace gocache",
    "Go asks this cache before it compiles a package or runs a test. The same package is not compiled again, on any machine.",
  ),
  tool(
    "gradle",
    "Gradle",
    "HTTP build cache",
    "Gradle asks this cache before it runs a task. A task with the same inputs is not run again, on any machine.",
  ),
  tool(
    "maven",
    "Maven",
    "Build Cache Extension",
    "Maven asks this cache before it builds a module. A module with the same sources is not built again, on any machine.",
  ),
  tool(
    "moonrepo",
    "moonrepo",
    "Remote Execution API",
    "moon asks this cache before it runs a task. A task with the same hash is not run again, on any machine.",
  ),
  tool(
    "pants",
    "Pants",
    "Remote Execution API",
    "Pants asks this cache before it runs a process. A process with the same inputs is not run again, on any machine.",
  ),
  tool(
    "sccache",
    "sccache",
    "WebDAV",
    "sccache asks this cache before it calls the compiler. The same source is not compiled again, on any machine.",
  ),
  tool(
    "turbo",
    "Turborepo",
    "Vercel's remote cache API",
    "Turborepo asks this cache before it runs a task. A task with the same hash is not run again, on any machine.",
  ),
];

export const findTool = (id: string | undefined): CacheTool | undefined =>
  CACHE_TOOLS.find((each) => each.id === id);

/** For tables; a tool that is newer than this page keeps its id. */
export const nameOfTool = (id: string): string => findTool(id)?.name ?? id;
