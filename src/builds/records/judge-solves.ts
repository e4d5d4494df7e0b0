/** How a build ended, by what `buildkitd` has written down. What its client says counts where `buildkitd` knows nothing. */
import { timestampMs } from "@bufbuild/protobuf/wkt";
import type { BuildAttestation } from "../builds.ts";
import type { BuildHistoryRecord } from "../gen/buildkit/control_pb.ts";
import { MAX_ATTESTATIONS, MAX_NAME_LENGTH } from "../limits.ts";
import type { Ending } from "./end-build.ts";
import type { Solved } from "./recorder.ts";

export interface Claim {
  succeeded: boolean;
  error: string;
  digest: string;
  /** Of a step that failed, as `buildkitd` has told everybody who listened. */
  stepError?: string;
}

const IMAGE = /image\.(?:manifest|index)|manifest\.(?:v2|list)/;
const PREDICATE = "in-toto.io/predicate-type";
/** Of gRPC. */
const CANCELED = 1;

const NO_REASON = "The client reported that the build failed.";

/** @param registryHost as names of images begin that were pushed here */
export function judgeSolves(solved: readonly Solved[], claim: Claim, registryHost: string): Ending {
  const records = lastOfEach(solved);
  if (records.length === 0)
    return claim.succeeded
      ? { state: "succeeded", digest: claim.digest }
      : { state: "failed", error: claim.stepError || claim.error || NO_REASON };
  const all = records.map(({ record }) => record);
  const failed = findFailure(all, solved);
  const attestations = records.flatMap(readAttestations).slice(0, MAX_ATTESTATIONS);
  const details = { attestations };
  if (failed?.error) {
    const { code, message } = failed.error;
    return { state: code === CANCELED ? "canceled" : "failed", error: message, details };
  }
  // On a full disk `buildkitd` writes down that it ended, and not with what error.
  if (!claim.succeeded && claim.stepError) return { state: "failed", error: claim.stepError, details };
  const digests = new Set(all.flatMap(imagesOf));
  const [digest = ""] = digests;
  return {
    state: "succeeded",
    // Of several images the client alone knows what it made of them.
    digest: digests.size > 1 ? claim.digest : digest,
    image: all.map((record) => pushedHere(record, registryHost)).find((name) => name !== "") ?? "",
    details,
  };
}

/**
 * Of the failure of one solve, the client ends the others: of a Bake file what its target builds on, of an image its other platforms.
 * They end after it, so that it is no earlier attempt.
 */
function findFailure(
  last: readonly BuildHistoryRecord[],
  solved: readonly Solved[],
): BuildHistoryRecord | undefined {
  const ended = last.find(({ error }) => error !== undefined);
  if (!ended || !isCanceled(ended)) return ended;
  const causes = solved.flatMap(({ record }) => (record?.error && !isCanceled(record) ? record : []));
  return causes.find((cause) => beginOf(ended) <= endOf(cause)) ?? ended;
}

export const isCanceled = ({ error }: BuildHistoryRecord): boolean => error?.code === CANCELED;

/**
 * A client that tries again solves once more on the same platform. So does Bake, for what a target builds on: it may end after the
 * target, and makes no image.
 */
function lastOfEach(solved: readonly Solved[]): { platform: string; record: BuildHistoryRecord }[] {
  const last = new Map<string, BuildHistoryRecord>();
  const ended = solved.flatMap(({ platform, record }) => (record ? [{ platform, record }] : []));
  for (const { platform, record } of ended.toSorted(
    (one, other) => endOf(one.record) - endOf(other.record),
  )) {
    const known = last.get(platform);
    const isOfOther = known && !record.error && imagesOf(record).length === 0 && imagesOf(known).length > 0;
    if (!isOfOther) last.set(platform, record);
  }
  return [...last].map(([platform, record]) => ({ platform, record }));
}

const beginOf = ({ createdAt }: BuildHistoryRecord) => (createdAt ? timestampMs(createdAt) : 0);
const endOf = ({ completedAt }: BuildHistoryRecord) => (completedAt ? timestampMs(completedAt) : 0);

const imagesOf = ({ result }: BuildHistoryRecord): string[] =>
  Object.values(result?.results ?? {}).flatMap(({ mediaType, digest }) =>
    IMAGE.test(mediaType) ? digest : [],
  );

function pushedHere({ exporters }: BuildHistoryRecord, registryHost: string): string {
  const pushed = exporters.filter(({ attrs }) => attrs["push"] === "true");
  const names = pushed.flatMap(({ attrs }) => (attrs["name"] ?? "").split(","));
  return (names.find((name) => name.startsWith(`${registryHost}/`)) ?? "").slice(0, MAX_NAME_LENGTH);
}

function readAttestations({ platform, record }: { platform: string; record: BuildHistoryRecord }) {
  const byPlatform = Object.entries(record.results).map(([name, result]) => ({ name, result }));
  const all = record.result ? [{ name: platform, result: record.result }, ...byPlatform] : byPlatform;
  return all.flatMap(({ name, result }): BuildAttestation[] =>
    result.attestations.map(({ annotations, digest }) => ({
      type: (annotations[PREDICATE] ?? "").slice(0, MAX_NAME_LENGTH),
      platform: name.slice(0, MAX_NAME_LENGTH),
      digest: digest.slice(0, MAX_NAME_LENGTH),
    })),
  );
}
