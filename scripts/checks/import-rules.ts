/** Which part of the project may import which other part. `import-table.ts` makes the table of CONTRIBUTING.md from these rules. */

export interface ImportRule {
  /** The room's name in the table. */
  room: string;
  /** Matches the room's files, relative to the project. The first room that matches wins. */
  has: RegExp;
  /** Other rooms that it may import. */
  values: readonly string[];
  /** Rooms from which it may also import types. */
  types?: readonly string[];
  /** Packages; a `*` at the end stands for the rest of the name. */
  packages: readonly string[];
  /** Absent: other rooms may import any of its files. */
  entryPoint?: EntryPoint;
  /**
   * The room's folders from the top down: each may import only those below it. Files next to the folders are above all of them;
   * tests and `testing/` may import everything. Absent: only circles are forbidden.
   */
  layers?: readonly string[];
}

/** Other rooms may import only the room's `index.ts`. */
export interface EntryPoint {
  /** False until all importers use it. */
  isEnforced: boolean;
  /** More entry points, for importers that cannot load everything `index.ts` imports. */
  others?: readonly string[];
  /** Rooms that still import other files. A room that no longer does must be removed from this list. */
  pending?: readonly string[];
}

const NODE_SERVER = ["*"];

export const IMPORT_RULES: readonly ImportRule[] = [
  { room: "site.config", has: /^(?:site\.config|src\/site-config)\.ts$/, values: [], packages: ["zod"] },
  { room: "content", has: /^content\//, values: [], packages: [] },
  { room: "package.json", has: /^package\.json$/, values: [], packages: [] },
  { room: "platform/text", has: /^src\/platform\/text\//, values: [], packages: [] },
  {
    room: "platform",
    has: /^src\/platform\//,
    values: ["platform/text"],
    packages: NODE_SERVER,
    layers: [
      "house",
      "grpc",
      "http",
      "blobs",
      "seal",
      "locks",
      "database",
      "files",
      "fair",
      "jobs",
      "work",
      "metrics",
      "environment",
      "log",
    ],
  },
  {
    room: "search",
    has: /^src\/search\//,
    values: [],
    packages: [],
    entryPoint: { isEnforced: true },
  },
  { room: "ui", has: /^src\/ui\//, values: [], packages: ["react", "react-dom"] },
  {
    room: "search-server",
    has: /^src\/search-server\//,
    values: ["platform", "platform/text", "search"],
    packages: ["hono", "zod", "prom-client", "node:*"],
    // Works without Node.js.
    entryPoint: { isEnforced: true, others: ["anywhere.ts"] },
    layers: [
      "routes",
      "upstream",
      "searches",
      "changes",
      "payloads",
      "keys",
      "catalog",
      "settings",
      "answers",
      "protocol",
    ],
  },
  {
    room: "offline",
    has: /^src\/offline\//,
    values: ["search-server", "docs", "platform/text"],
    packages: [],
    entryPoint: { isEnforced: true },
  },
  {
    room: "telemetry/browser",
    has: /^src\/telemetry\/browser\//,
    values: ["platform/text"],
    packages: ["posthog-js", "@sentry/*", "search-insights"],
  },
  {
    room: "telemetry",
    has: /^src\/telemetry\//,
    values: ["platform", "platform/text", "telemetry/browser"],
    packages: NODE_SERVER,
    entryPoint: { isEnforced: true },
    layers: ["ingest", "thread", "queries", "forward", "store", "parse", "errors", "contract"],
  },
  {
    room: "accounts",
    has: /^src\/accounts\//,
    values: ["platform", "platform/text"],
    packages: NODE_SERVER,
    entryPoint: { isEnforced: true },
    layers: [
      "stream",
      "device",
      "organizations",
      "sign-in",
      "identity",
      "tokens",
      "projects",
      "people",
      "two-step",
      "trust",
      "migrations",
      "changes",
      "events",
      "contract",
      "records",
    ],
  },
  {
    room: "cache",
    has: /^src\/cache\//,
    values: ["platform", "platform/text", "accounts"],
    packages: NODE_SERVER,
    entryPoint: { isEnforced: true },
    layers: [
      "tools",
      "http",
      "reapi",
      "eviction",
      "entries",
      "misses",
      "simulate",
      "figures",
      "access",
      "records",
      "messages",
      "contract",
    ],
  },
  {
    room: "registry",
    has: /^src\/registry\//,
    values: ["platform", "platform/text", "accounts"],
    packages: NODE_SERVER,
    entryPoint: { isEnforced: true },
    layers: ["http", "mirror", "manifests", "images", "sweep", "uploads", "blobs", "access", "contract"],
  },
  {
    room: "builds",
    has: /^src\/builds\//,
    values: ["platform", "platform/text", "accounts", "registry"],
    packages: NODE_SERVER,
    entryPoint: { isEnforced: true },
  },
  { room: "api/gen", has: /^src\/api\/gen\//, values: [], packages: ["@bufbuild/protobuf"] },
  {
    room: "api",
    has: /^src\/api\//,
    values: ["api/gen", "accounts", "builds", "cache", "registry", "platform", "platform/text"],
    packages: NODE_SERVER,
    entryPoint: { isEnforced: true },
    layers: ["services", "protocols", "idempotency", "calls"],
  },
  {
    room: "docs",
    has: /^src\/docs\//,
    values: ["site.config", "search", "platform", "platform/text"],
    packages: NODE_SERVER,
    layers: ["mcp", "author", "try-search", "records", "components", "content", "address"],
  },
  {
    room: "site/.server",
    has: /^src\/site\/(?:.*\/)?\.server\//,
    values: ["site", "ui", "docs", "platform", "platform/text", "site.config", "content"],
    packages: NODE_SERVER,
  },
  {
    room: "site",
    has: /^src\/site\//,
    values: ["site/.server", "offline", "ui", "platform/text", "telemetry/browser", "site.config"],
    types: ["docs", "search"],
    packages: ["*"],
  },
  {
    room: "app/.server",
    has: /^src\/app\/\.server\//,
    values: ["app", "platform", "platform/text", "accounts", "telemetry", "docs", "site.config"],
    types: ["search"],
    packages: NODE_SERVER,
  },
  {
    room: "app",
    has: /^src\/app\//,
    values: ["ui", "platform/text", "api/gen", "site.config"],
    types: ["telemetry"],
    packages: ["*"],
  },
  { room: "cli", has: /^cli\//, values: ["api/gen"], packages: NODE_SERVER },
  {
    room: "server",
    has: /^src\/server\//,
    values: [
      "platform",
      "platform/text",
      "search",
      "search-server",
      "telemetry",
      "accounts",
      "builds",
      "cache",
      "registry",
      "api",
      "docs",
      "site",
      "site/.server",
      "app/.server",
      "site.config",
      "package.json",
    ],
    packages: NODE_SERVER,
  },
];

/** Code that only assembles, measures or tests may import everything. */
export const FREE = /^(?:scripts|tests|bench)\/|^[^/]+\.(?:ts|mjs|json)$/;

export function ruleOf(file: string): ImportRule | undefined {
  return IMPORT_RULES.find(({ has }) => has.test(file));
}
