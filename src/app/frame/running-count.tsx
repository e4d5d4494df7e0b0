import { useQuery } from "@tanstack/react-query";
import { MOST_RUNNING, runningBuildsQuery } from "../screens/builds/build-queries.ts";

/** In the rail, after "Builds": how many are being built now. Nothing while none is, or while nobody knows. */
export function RunningCount({ organization }: { organization: string }) {
  // Events tell of builds that begin and end: only pages that show their steps ask again by themselves.
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
