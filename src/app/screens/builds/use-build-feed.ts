import { useEffect, useState, useSyncExternalStore } from "react";
import type { Build } from "#api/gen/json-types.ts";
import { useIsOffline, useLive } from "../../data/live.ts";
import { useOrganization } from "../../data/organization.ts";
import { BuildFeed, type BuildSnapshot } from "./build-feed.ts";

/** @param wantsLog whether its lines are shown */
export function useBuildFeed(build: Build, wantsLog: boolean): BuildSnapshot {
  const { name: organization } = useOrganization();
  const [feed] = useState(() => new BuildFeed({ organization, build }));
  useEffect(() => feed.accept(build), [feed, build]);
  useEffect(() => feed.follow(), [feed]);
  useEffect(() => (wantsLog ? feed.followLog() : undefined), [feed, wantsLog]);
  return useSyncExternalStore(feed.watch, feed.read);
}

/** While the connection is lost clocks stop at that moment: milliseconds since 1970, or nothing. */
export function useStoppedAt(): { stoppedAt?: number } {
  const isOffline = useIsOffline();
  const { lastAt } = useLive();
  return isOffline && lastAt !== null ? { stoppedAt: lastAt } : {};
}
