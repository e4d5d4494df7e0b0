import type { Build } from "#api/gen/json-types.ts";
import { plural } from "../../format.ts";
import { Icon } from "../../ui/icon.tsx";
import { shortSha } from "./build-words.ts";

/** Whether the build is much slower than those before it, and since when. */
export function SlowerBuild({ build }: { build: Build }) {
  const { regression: slower } = build;
  if (!slower || slower.percent <= 0) return null;
  return (
    <div className="note warn">
      <Icon name="gauge" />
      <div className="grow">
        <b>
          {slower.percent} % slower than the {plural(slower.compared_builds, "build")} before it
        </b>
        <p>
          {slower.step_name && (
            <>
              Most of it is <bdi className="mono">{slower.step_name.slice(0, 200)}</bdi>.{" "}
            </>
          )}
          {slower.since_commit && (
            <>
              It started with <bdi className="mono">{shortSha(slower.since_commit)}</bdi>.
            </>
          )}
        </p>
      </div>
    </div>
  );
}
