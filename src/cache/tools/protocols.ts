/** All protocols that the cache speaks over HTTP. */
import { type Tool, TOOLS } from "../contract/tools.ts";
import type { ToolProtocol } from "../http/call.ts";
import * as registry from "./registry.ts";
import type { CacheTool, CompleteActionResult } from "./tool.ts";

const tools: Readonly<Record<Tool, CacheTool>> = registry;

export function createProtocols(completeActionResult: CompleteActionResult): ToolProtocol[] {
  return TOOLS.flatMap((tool) => {
    const { http } = tools[tool];
    if (!http) return [];
    return [{ ...(typeof http === "function" ? http(completeActionResult) : http), tool }];
  });
}
