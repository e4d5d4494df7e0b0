/** What a pod's status means for a build that waits for its builder, and how to say it. */
import { z } from "zod";

const containerState = z.object({
  running: z.object({}).optional(),
  waiting: z.object({ reason: z.string().optional(), message: z.string().optional() }).optional(),
  terminated: z
    .object({ exitCode: z.number(), reason: z.string().optional(), message: z.string().optional() })
    .optional(),
});

export const podShape = z.object({
  metadata: z.object({
    name: z.string(),
    uid: z.string(),
    resourceVersion: z.string(),
    deletionTimestamp: z.string().optional(),
    annotations: z.record(z.string(), z.string()).optional(),
    labels: z.record(z.string(), z.string()).optional(),
  }),
  spec: z.object({
    hostUsers: z.boolean().optional(),
    volumes: z.array(z.object({ secret: z.object({ secretName: z.string() }).optional() })).optional(),
  }),
  status: z
    .object({
      phase: z.string().optional(),
      reason: z.string().optional(),
      message: z.string().optional(),
      podIP: z.string().optional(),
      conditions: z
        .array(z.object({ type: z.string(), status: z.string(), message: z.string().optional() }))
        .optional(),
      containerStatuses: z.array(z.object({ state: containerState.optional() })).optional(),
    })
    .optional(),
});
export type Pod = z.infer<typeof podShape>;

export type PodState =
  { is: "ready"; address: string } | { is: "waits"; why: string } | { is: "over"; why: string };

/** A node keeps retrying these, with the same result. */
const FATAL = [
  "ImagePullBackOff",
  "InvalidImageName",
  "ErrImageNeverPull",
  "CreateContainerError",
  "RunContainerError",
];
const TOLD_CHARACTERS = 500;

export function judgePod({ metadata, status = {} }: Pod): PodState {
  const over = (why: string): PodState => ({ is: "over", why });
  const state = status.containerStatuses?.[0]?.state;
  const { phase = "Pending", podIP } = status;
  if (phase === "Failed" || phase === "Succeeded") return over(explainEnd(status, state?.terminated));
  if (metadata.deletionTimestamp !== undefined) return over("the builder's pod was removed from the cluster");
  const { reason = "", message = "" } = state?.waiting ?? {};
  if (FATAL.includes(reason))
    return over(
      reason.includes("Image")
        ? `its image cannot be pulled (${reason}): ${shorten(message)}. Check MILLRACE_BUILDER_IMAGE and the cluster's access to it`
        : `its node cannot start it (${reason}): ${shorten(message)}`,
    );
  if (state?.running && podIP) return { is: "ready", address: podIP };
  const unscheduled = status.conditions?.find(
    ({ type, status: is }) => type === "PodScheduled" && is === "False",
  );
  if (unscheduled)
    return { is: "waits", why: `no node has room for it: ${shorten(unscheduled.message ?? "")}` };
  if (reason !== "") return { is: "waits", why: `${reason} ${shorten(message)}`.trim() };
  return { is: "waits", why: "its node has not started it" };
}

function explainEnd(
  { reason, message }: NonNullable<Pod["status"]>,
  ended: z.infer<typeof containerState>["terminated"],
): string {
  if (reason === "Evicted") return `the builder's pod was evicted: ${shorten(message ?? "")}`;
  if (reason !== undefined) return `the builder's pod has ended (${reason}): ${shorten(message ?? "")}`;
  if (ended?.reason === "OOMKilled") return "the builder exceeded its memory limit";
  if (!ended) return "the builder's pod has ended";
  return `the builder's pod has ended with code ${ended.exitCode}: ${shorten(ended.message ?? ended.reason ?? "")}`;
}

const shorten = (text: string) => text.trim().slice(-TOLD_CHARACTERS);
