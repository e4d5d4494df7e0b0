/** The limits of one request: a time limit, an amount of work and an answer size for all of its queries together. */
import { createWork, type Work } from "#search/index.ts";
import { ApiError, tooManySearches } from "../protocol/errors.ts";
import type { SearchLimits } from "../protocol/limits.ts";

export interface RequestWork extends Work {
  /** Called before each query. @throws ApiError when the limits are used up: an error is better than an empty answer. */
  refuseIfOver: () => void;
}

export function createRequestWork({ limits, now }: { limits: SearchLimits; now: () => number }): RequestWork {
  const end = now() + limits.requestMs;
  const work = createWork({
    most: limits.requestWork,
    isLate: () => now() > end,
    hasRoomFor: createRoom(limits.answerBytes),
  });
  return Object.assign(work, {
    refuseIfOver() {
      if (work.done > limits.requestWork) {
        throw new ApiError(
          "bad_request",
          "The queries before this one used up the work allowed for one request. Send fewer queries at once, " +
            "or request fewer hits (`limit`), attributes or facets.",
        );
      }
      if (!work.isOver()) return;
      throw tooManySearches(
        `The queries before this one took more than ${limits.requestMs} ms. Send fewer or simpler queries at once.`,
      );
    },
  });
}

/**
 * Counts the bytes of an answer's JSON part by part. Most answers are so far below the limit that the lengths
 * of their texts suffice; only near the limit are the parts turned into JSON to be measured.
 */
function createRoom(maxBytes: number): (part: object) => boolean {
  const unmeasured: object[] = [];
  let bytes = 0;
  let isMeasured = false;
  return (part) => {
    if (!isMeasured) {
      const most = mostBytes(part);
      if (bytes + most <= maxBytes) {
        bytes += most;
        unmeasured.push(part);
        return true;
      }
      isMeasured = true;
      bytes = unmeasured.reduce((sum, one) => sum + bytesOf(one), 0);
    }
    const size = bytesOf(part);
    if (bytes + size > maxBytes) return false;
    bytes += size;
    return true;
  };
}

/** Not with Node's `Buffer`: this also runs in a browser (`anywhere.ts`). */
const encoder = new TextEncoder();

function bytesOf(part: object): number {
  return encoder.encode(JSON.stringify(part)).length + 1;
}

/** A control character is written as `\u0001`. */
const MOST_BYTES_PER_UNIT = 6;
/** Bytes of a number, and of what surrounds a value and its name. */
const MOST_BYTES_PER_VALUE = 32;

function mostBytes(part: object): number {
  const { units, values } = addLengths(part, { units: 0, values: 1 });
  return units * MOST_BYTES_PER_UNIT + values * MOST_BYTES_PER_VALUE;
}

interface Lengths {
  /** UTF-16 units of texts and names. */
  units: number;
  values: number;
}

function addLengths(part: object, lengths: Lengths): Lengths {
  // Without a list of entries, because this visits every hit of every search.
  for (const name in part) {
    const value: unknown = part[name as keyof typeof part];
    lengths.units += name.length;
    lengths.values++;
    if (typeof value === "string") lengths.units += value.length;
    else if (typeof value === "object" && value !== null) addLengths(value, lengths);
  }
  return lengths;
}
