/** The request of a federated search, as shared by the files that answer it. */
import type { Restrict } from "../keys/guards.ts";
import type { SearchLimits } from "../protocol/limits.ts";
import type { RequestWork } from "./request-work.ts";
import type { FederationBody, MultiSearchBody } from "./schema.ts";

export type FederatedQuery = MultiSearchBody["queries"][number];

export interface FederatedSearch {
  queries: readonly FederatedQuery[];
  federation: FederationBody;
  work: RequestWork;
  limits: SearchLimits;
  now: () => number;
  arrived?: number;
  hasMetadata?: boolean;
  restrict?: Restrict | undefined;
}
