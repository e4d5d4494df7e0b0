import type { BuilderWant } from "../machine/machine.ts";
import type { ProjectSecrets } from "../masking/project-secrets.ts";
import type { BuildParts } from "../parts.ts";
import type { Ending } from "../records/end-build.ts";
import type { BuildRow } from "../records/read-build.ts";
import type { LiveCounts } from "./live-counts.ts";

/** Of a build that this server runs. */
export interface LiveOptions extends BuildParts {
  row: BuildRow;
  want: Omit<BuilderWant, "platform">;
  entitlements: ReadonlySet<string>;
  counts: LiveCounts;
  /** Of its project. */
  mounted: ProjectSecrets;
  /** Ends what its clients do at the builder. */
  cut: (buildId: string, reason: string) => void;
  /** Nobody waits for it but the server's own end. */
  later: (work: Promise<void>) => void;
  /** Once, when its records say that it has ended. */
  onEnded: (state: Ending["state"]) => void;
}
