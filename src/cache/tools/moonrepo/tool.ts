import type { CacheTool } from "../tool.ts";

export const moonrepo: CacheTool = {
  name: "moonrepo",
  grpc: true,
  since: "2.0",
  tested: "2.5.5",
  brand: "moonrepo",
  how: "Remote Execution API",
  saves:
    "moon asks this cache before it runs a task. A task with the same hash is not run again, on any machine.",
  protocol: "Remote Execution API (gRPC)",
  address: "`grpc(s)://{{host}}`",
  credentials: "`remote.auth.token` names the variable that holds the token",
  token: { from: "the variable that `remote.auth.token` names", form: "the token" },
  organization: "`Millrace-Org: 'acme'` under `remote.auth.headers`",
  runner: "`MILLRACE_TOKEN`, which `remote.auth.token` names",
  prints: { miss: "a duration in front of the hash", hit: "`cached from remote`" },
  keys: { command: "`moon hash <hash>`", compare: "the two manifests" },
  setUp: {
    files: [
      {
        name: ".moon/workspace.yml",
        text: `remote:
  host: 'grpcs://{{host}}'
  auth:
    token: 'MILLRACE_TOKEN'
  cache:
    instanceName: 'moonrepo'
    compression: 'zstd'`,
      },
    ],
    twice: ["moon run :build", "rm -rf .moon/cache apps/*/dist packages/*/dist", "moon run :build"],
    proof: { where: "Tasks of the second run say", mark: "cached from remote" },
  },
};
