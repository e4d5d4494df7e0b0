import type { CacheTool } from "../tool.ts";
import { http } from "./http.ts";

export const gocache: CacheTool = {
  name: "Go",
  http,
  since: "1.24",
  tested: "1.26",
  brand: "go",
  how: "millrace gocache",
  saves:
    "Go asks this cache before it compiles a package or runs a test. The same package is not compiled again, on any machine.",
  protocol: "GOCACHEPROG",
  address: '`GOCACHEPROG="millrace gocache"`',
  credentials: "`MILLRACE_TOKEN`",
  token: { from: "`MILLRACE_TOKEN`, or the login of the CLI", form: "the token" },
  organization: "`MILLRACE_ORG=acme`",
  runner: "their environment variables",
  prints: { miss: "`puts`, about two for each miss", hit: "`hits` nearly equals `gets`" },
  keys: { command: "`GODEBUG=gocachehash=1 go build ./... 2> a.txt`", compare: "the package's lines" },
  setUp: {
    files: [
      {
        name: "Shell or CI job",
        text: `export MILLRACE_URL={{origin}}
export MILLRACE_TOKEN=mr_user_your_token
export GOCACHEPROG="millrace gocache"`,
      },
    ],
    twice: [
      `export GOCACHEPROG="millrace gocache --verbose --dir /tmp/gocache-a"`,
      "go build ./...",
      `export GOCACHEPROG="millrace gocache --verbose --dir /tmp/gocache-b"`,
      "go build ./...",
    ],
    proof: { where: "The lines of the second build end with", mark: "remote" },
  },
};
