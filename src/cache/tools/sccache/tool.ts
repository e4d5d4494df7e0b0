import type { CacheTool } from "../tool.ts";
import { http } from "./http.ts";

export const sccache: CacheTool = {
  name: "sccache",
  http,
  since: "0.4.2",
  tested: "0.16.0",
  brand: "rust",
  how: "WebDAV",
  saves:
    "sccache asks this cache before it calls the compiler. The same source is not compiled again, on any machine.",
  protocol: "WebDAV",
  address: "`SCCACHE_WEBDAV_ENDPOINT={{origin}}/cache/sccache`",
  credentials: "`SCCACHE_WEBDAV_TOKEN`",
  token: { from: "`SCCACHE_WEBDAV_TOKEN`", form: "the token" },
  runner: "their environment variables",
  prints: { miss: "`Cache misses`", hit: "`Cache hits`" },
  keys: { command: "`SCCACHE_LOG=debug`", compare: "the compiler's arguments" },
  setUp: {
    files: [
      {
        name: "Shell or CI job",
        text: `export SCCACHE_WEBDAV_ENDPOINT={{origin}}/cache/sccache
export SCCACHE_WEBDAV_TOKEN="$MILLRACE_TOKEN"
export RUSTC_WRAPPER=sccache
export CARGO_INCREMENTAL=0`,
      },
    ],
    twice: [
      "sccache --stop-server",
      "cargo build --release",
      "cargo clean",
      "cargo build --release",
      "sccache --show-stats",
    ],
    proof: { where: "The statistics count", mark: "Cache hits" },
  },
};
