import type { CacheTool } from "../tool.ts";
import { http } from "./http.ts";

export const turbo: CacheTool = {
  name: "Turborepo",
  http,
  since: "2.0",
  tested: "2.11.11",
  brand: "turborepo",
  how: "Vercel's remote cache API",
  saves:
    "Turborepo asks this cache before it runs a task. A task with the same hash is not run again, on any machine.",
  protocol: "Vercel remote cache API",
  address: "`TURBO_API={{origin}}/cache/turbo`",
  credentials: "`TURBO_TOKEN`, and `TURBO_TEAM=<org>`",
  token: { from: "`TURBO_TOKEN`", form: "the token, with `TURBO_TEAM`" },
  organization: "`TURBO_TEAM=acme`, with every token",
  runner: "their environment variables",
  prints: { miss: "`cache miss, executing`", hit: "`cache hit, replaying logs`" },
  keys: {
    command: "`turbo run build --dry=json`",
    compare: "`hashOfExternalDependencies`, `inputs`, `environmentVariables`",
  },
  setUp: {
    files: [
      {
        name: "Shell or CI job",
        text: `export TURBO_API={{origin}}/cache/turbo
export TURBO_TEAM={{org}}
export TURBO_TOKEN=mr_user_your_token`,
      },
    ],
    twice: ["npx turbo run build --force", "npx turbo run build --cache=local:,remote:r"],
    proof: { where: "The second run ends with", mark: "FULL TURBO" },
  },
};
