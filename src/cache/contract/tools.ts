/** The build tools, by the names in `tool` of the API and in the file `content/facts/cache.yaml`. */
export const TOOLS = [
  "bazel",
  "gocache",
  "gradle",
  "maven",
  "moonrepo",
  "pants",
  "sccache",
  "turbo",
] as const;

export type Tool = (typeof TOOLS)[number];

export function isTool(text: string): text is Tool {
  return (TOOLS as readonly string[]).includes(text);
}

/** The prefix that reported refusals at the tool's address have; the application finds them by it. */
export const endpointOf = (tool: Tool): string => `/cache/${tool}/`;
