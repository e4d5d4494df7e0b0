import type { CacheTool } from "../tool.ts";
import { createHttp } from "./http.ts";

export const bazel: CacheTool = {
  name: "Bazel",
  http: createHttp,
  grpc: true,
  since: "4.2.3",
  tested: "4.2.3",
  brand: "bazel",
  how: "HTTP or gRPC",
  saves:
    "Bazel asks this cache before it runs an action. An action with the same inputs is not run again, on any machine.",
  protocol: "HTTP cache, or Remote Execution API (gRPC)",
  address: "`{{origin}}/cache/bazel`, or `grpc(s)://{{host}}`",
  credentials: "`--remote_header=authorization=Bearer <token>`",
  token: { from: "`--remote_header` in a bazelrc that git ignores", form: "`authorization=Bearer <token>`" },
  organization: "`build --remote_header=millrace-org=acme`",
  runner: "`~/.bazelrc` with address and header",
  prints: { miss: "`linux-sandbox` in the last line", hit: "`remote cache hit`" },
  keys: {
    command: "`bazel build //app --execution_log_json_file=a.json`",
    compare: "inputs and environment of the action",
  },
  setUp: {
    files: [
      {
        name: ".bazelrc",
        text: `# Where results come from, and where they go
build --remote_cache={{origin}}/cache/bazel
build --remote_local_fallback
build --remote_timeout=30s

# Equal keys on all machines
build --incompatible_strict_action_env
build --experimental_guard_against_concurrent_changes

# Workstations read, CI writes: bazel build --config=ci
build --noremote_upload_local_results
build:ci --remote_upload_local_results

try-import %workspace%/.bazelrc.user`,
      },
    ],
    twice: [
      `printf 'build --remote_header="authorization=Bearer %s"\\n' "$MILLRACE_TOKEN" > .bazelrc.user`,
      "bazel build --config=ci //...",
      "bazel clean --expunge",
      "bazel build //...",
    ],
    proof: { where: "The last lines of the second build count", mark: "remote cache hit" },
  },
};
