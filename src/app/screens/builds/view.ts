import type { Build, Step } from "../../ui/timeline/build-model.ts";
import type { BuildSnapshot } from "./build-feed.ts";

/** Props of the parts of a build's page. */
export interface View extends BuildSnapshot {
  /** When the connection was lost; milliseconds since 1970. */
  stoppedAt?: number;
  /** From the address; empty: none was chosen. */
  tab: string;
  setTab: (tab: string) => void;
  /** The step that the address names. */
  current: Step | undefined;
  /** The build to compare with. */
  other?: { build: Build; name: string };
}
