/** The build tools, as `tool` of the API and the file `content/facts/cache.yaml` name them. */
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

/** Before what a refusal at the tool's address is told with; the application finds it by this. */
export const doorOf = (tool: Tool): string => `/cache/${tool}/`;
