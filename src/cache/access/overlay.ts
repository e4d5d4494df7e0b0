import { createHash } from "node:crypto";
import type { Actor } from "#accounts/index.ts";
import { MAX_OVERLAY_LENGTH } from "../contract/limits.ts";

type JobActor = Extract<Actor, { kind: "job" }>;

/**
 * The name that the jobs of one pull request share: the project and the ref that their issuer vouched for, `prj_…
 * refs/pull/7/merge`. A job without a ref shares with jobs of the same subject.
 */
export function overlayOf({ projectId, claims, name }: JobActor): string {
  const overlay = `${projectId ?? "-"} ${claims?.ref ?? claims?.subject ?? name}`;
  if (overlay.length <= MAX_OVERLAY_LENGTH) return overlay;
  const hash = createHash("sha256").update(overlay).digest("hex");
  return `${overlay.slice(0, MAX_OVERLAY_LENGTH - hash.length - 1)}…${hash}`;
}
