/** What a token allows at a builder. */
export interface SolveRules {
  /** From MILLRACE_BUILDER_ENTITLEMENTS: `network.host`, `security.insecure`, `device`. */
  entitlements: ReadonlySet<string>;
  /** Whether a result or a cache may be written to a registry. Its credentials are always the client's. */
  mayPush: boolean;
}

/** A client's request, unchanged. */
export interface SolveSummary {
  ref: string;
  frontend: string;
  attributes: Record<string, string>;
  exporters: readonly Output[];
  cacheExports: readonly Output[];
  cacheImports: readonly Output[];
  entitlements: readonly string[];
  /** Without an entry in BuildKit's history: a request to a frontend, such as `--call=check`. */
  isInternal: boolean;
}

export interface Output {
  type: string;
  attributes: Record<string, string>;
}
