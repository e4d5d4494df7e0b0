import type { Build, Step } from "../../ui/timeline/build-model.ts";
import type { BuildSnapshot } from "./build-feed.ts";

/** What the parts of a build's page show. */
export interface View extends BuildSnapshot {
  /** The connection is lost; milliseconds since 1970. */
  stoppedAt?: number;
  /** Of the address; empty: none was chosen. */
  tab: string;
  setTab: (tab: string) => void;
  /** The step that the address names. */
  current: Step | undefined;
  /** The build that it is compared with. */
  other?: { build: Build; name: string };
}
