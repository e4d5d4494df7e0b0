/** Variables of the build cache: where blobs are kept, how many and for how long. */
import { z } from "zod";
import { parseS3Address } from "#platform/blobs/s3-address.ts";
import { parseDuration, parseSize, UNIT_MS } from "./durations.ts";

const MIN_QUOTA_BYTES = 10_000_000;
const MAX_QUOTA_BYTES = 1_000_000_000_000_000;
const MIN_RETENTION_MS = UNIT_MS.h;
const MAX_RETENTION_MS = 3650 * UNIT_MS.d;

export const quota = z
  .string()
  .transform((value) => parseSize(value) ?? Number.NaN)
  .refine((bytes) => bytes >= MIN_QUOTA_BYTES && bytes <= MAX_QUOTA_BYTES, {
    error: "must be a size from 10MB to 1000TB, such as 50GB",
  });

export const retention = z
  .string()
  .transform((value) => parseDuration(value) ?? Number.NaN)
  .refine((ms) => ms >= MIN_RETENTION_MS && ms <= MAX_RETENTION_MS, {
    error: "must be a time from 1h to 3650d, such as 14d",
  });

/** Keys come from the variables and roles that every program for S3 knows. */
const blobUrl = z.string().transform((value, context) => {
  const address = parseS3Address(value);
  if (typeof address !== "string") return address;
  context.addIssue(address);
  return z.NEVER;
});

export const cacheVariables = {
  /** The bucket in which blobs are kept. Without it: `blobs` in `DATA_DIR`. */
  MILLRACE_BLOB_URL: blobUrl.optional(),
  /** The size of each cache namespace, in bytes. */
  MILLRACE_CACHE_QUOTA: quota.default(50_000_000_000),
  /** Milliseconds that an unused cache entry is kept. */
  MILLRACE_CACHE_RETENTION: retention.default(14 * UNIT_MS.d),
};
