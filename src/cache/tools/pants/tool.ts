import type { CacheTool } from "../tool.ts";

export const pants: CacheTool = {
  name: "Pants",
  grpc: true,
  since: "2.17.1",
  tested: "2.17.1",
  how: "Remote Execution API",
  saves:
    "Pants asks this cache before it runs a process. A process with the same inputs is not run again, on any machine.",
  protocol: "Remote Execution API (gRPC)",
  address: "`grpc(s)://{{host}}`",
  credentials: "`remote_oauth_bearer_token`",
  token: { from: "`PANTS_REMOTE_OAUTH_BEARER_TOKEN`; Pants 2.17 a file", form: "the token" },
  organization: '`remote_store_headers = { "millrace-org" = "acme" }`',
  runner: "`PANTS_REMOTE_*` variables",
  prints: { miss: "`remote_cache_requests_uncached`", hit: "`remote_cache_requests_cached`" },
  keys: { command: "`--streaming-workunits-level=debug`", compare: "the digest of the process" },
  setUp: {
    files: [
      {
        name: "pants.toml",
        text: `# Results come from Millrace
remote_cache_read = true
remote_cache_write = false
remote_store_address = "grpcs://{{host}}"
remote_instance_name = "pants"
remote_cache_warnings = "backoff"`,
      },
      {
        name: "pants.ci.toml",
        text: `[GLOBAL]
remote_cache_write = true
dynamic_ui = false`,
      },
      {
        name: "Shell or CI job",
        text: `export PANTS_REMOTE_OAUTH_BEARER_TOKEN="$MILLRACE_TOKEN"
export PANTS_CONFIG_FILES=pants.ci.toml   # in CI only`,
      },
    ],
    twice: [
      "export PANTS_CONFIG_FILES=pants.ci.toml",
      "pants --no-local-cache test ::",
      "pants --no-local-cache test ::",
    ],
    proof: { where: "Tests of the second run say", mark: "cached remotely" },
  },
};
