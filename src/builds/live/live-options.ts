import type { BuilderWant } from "../machine/machine.ts";
import type { ProjectSecrets } from "../masking/project-secrets.ts";
import type { BuildParts } from "../contract/parts.ts";
import type { Ending } from "../records/end-build.ts";
import type { BuildRow } from "../records/read-build.ts";
import type { LiveCounts } from "./live-counts.ts";

/** Options of a build that this server runs. */
export interface LiveOptions extends BuildParts {
  row: BuildRow;
  want: Omit<BuilderWant, "platform">;
  entitlements: ReadonlySet<string>;
  counts: LiveCounts;
  /** Mounted secrets of its project. */
  mounted: ProjectSecrets;
  /** Ends its clients' calls to the builder. */
  cut: (buildId: string, reason: string) => void;
  /** Only the end of the server waits for this work. */
  later: (work: Promise<void>) => void;
  /** Called once, when its records say that it has ended. */
  onEnded: (state: Ending["state"]) => void;
}
