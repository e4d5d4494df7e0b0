/** All protocols that the cache speaks over HTTP. */
import type { ToolProtocol } from "../http/call.ts";
import { type CompleteActionResult, createBazelHttp } from "./bazel-http.ts";
import { gocache } from "./gocache.ts";
import { gradle } from "./gradle.ts";
import { maven } from "./maven.ts";
import { sccache } from "./sccache.ts";
import { turbo } from "./turbo.ts";

export function createProtocols(completeActionResult: CompleteActionResult): ToolProtocol[] {
  return [createBazelHttp(completeActionResult), gocache, gradle, maven, sccache, turbo];
}
