/** How a build ended, by the records of `buildkitd`. Without any, its client's word counts. */
import { timestampMs } from "@bufbuild/protobuf/wkt";
import type { BuildAttestation } from "../contract/builds.ts";
import type { BuildHistoryRecord } from "../gen/buildkit/control_pb.ts";
import { MAX_ATTESTATIONS, MAX_NAME_LENGTH } from "../contract/limits.ts";
import type { Ending } from "./end-build.ts";
import type { Solved } from "./recorder.ts";

export interface Claim {
  succeeded: boolean;
  error: string;
  digest: string;
  /** Error of a failed step, from `buildkitd`'s status stream. */
  stepError?: string;
}

const IMAGE = /image\.(?:manifest|index)|manifest\.(?:v2|list)/;
const PREDICATE = "in-toto.io/predicate-type";
/** gRPC's code. */
const CANCELED = 1;

const NO_REASON = "The client reported that the build failed.";

/** @param registryHost prefix of the names of images that were pushed here */
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
  // On a full disk, `buildkitd` records the end without the error.
  if (!claim.succeeded && claim.stepError) return { state: "failed", error: claim.stepError, details };
  const digests = new Set(all.flatMap(imagesOf));
  const [digest = ""] = digests;
  return {
    state: "succeeded",
    // With several images, only the client knows what it made of them.
    digest: digests.size > 1 ? claim.digest : digest,
    image: all.map((record) => pushedHere(record, registryHost)).find((name) => name !== "") ?? "",
    details,
  };
}

/**
 * When one solve fails, the client ends the others: the targets that a Bake target builds on, or the other platforms of an image.
 * They end after the failure, which tells it from an earlier attempt.
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
 * A client that retries solves again on the same platform. So does Bake, for the targets that a target builds on: they may end
 * after it, and make no image.
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
