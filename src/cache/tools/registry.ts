/**
 * The build tools of the cache, one line each. `npm run generate` makes from them what other rooms and the documentation read
 * (`scripts/make-cache-tools.ts`); whoever imports them all has them in the order of their ids.
 */
export { bazel } from "./bazel/tool.ts";
export { gocache } from "./gocache/tool.ts";
export { gradle } from "./gradle/tool.ts";
export { maven } from "./maven/tool.ts";
export { moonrepo } from "./moonrepo/tool.ts";
export { pants } from "./pants/tool.ts";
export { sccache } from "./sccache/tool.ts";
export { turbo } from "./turbo/tool.ts";
