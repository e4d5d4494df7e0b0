import { Refused } from "#accounts/index.ts";
import type { BuildRow } from "../records/read-build.ts";

export const endedAlready = ({ id, state }: Pick<BuildRow, "id" | "state">): Refused =>
  new Refused(
    "failed_precondition",
    `build ${id} has already ended: it ${state === "canceled" ? "was canceled" : state}`,
  );
