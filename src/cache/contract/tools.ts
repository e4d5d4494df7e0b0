/** The build tools, by their ids in `tools/registry.ts`. */
import { GRPC_TOOLS, TOOLS } from "./gen/tools.ts";

export { GRPC_TOOLS, TOOLS };

export type Tool = (typeof TOOLS)[number];

export function isTool(text: string): text is Tool {
  return (TOOLS as readonly string[]).includes(text);
}

/** The prefix that reported refusals at the tool's address have; the application finds them by it. */
export const endpointOf = (tool: Tool): string => `/cache/${tool}/`;
