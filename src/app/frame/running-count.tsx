import { useQuery } from "@tanstack/react-query";
import { MOST_RUNNING, runningBuildsQuery } from "../screens/builds/build-queries.ts";

/** In the rail, after "Builds": the number of running builds. Nothing while it is zero or unknown. */
export function RunningCount({ organization }: { organization: string }) {
  // Events report when builds begin and end: only pages that show steps poll on their own.
  const { data } = useQuery({ ...runningBuildsQuery(organization), refetchInterval: false });
  const count = data?.filter(({ state }) => state === "running").length ?? 0;
  if (count === 0) return null;
  return (
    <span className="tick is-live">
      {count}
      {data?.length === MOST_RUNNING && "+"}
      <span className="vh"> running</span>
    </span>
  );
}
