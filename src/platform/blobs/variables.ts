/** The storage of blobs, for the build cache and the registry. */
import { z } from "zod";
import type { Values, Variables } from "../environment/variables.ts";
import { parseS3Address } from "./s3-address.ts";

/** Credentials come from the variables and roles that every S3 client knows. */
const blobUrl = z.string().transform((value, context) => {
  const address = parseS3Address(value);
  if (typeof address !== "string") return address;
  context.addIssue(address);
  return z.NEVER;
});

export const blobVariables = {
  MILLRACE_BLOB_URL: {
    schema: blobUrl.optional(),
    about:
      "Where image layers and cache entries are stored, in any S3-compatible store. Without it, a folder in `DATA_DIR`.",
    example: "s3://acme-millrace/blobs",
    part: "cache",
  },
} satisfies Variables;

export type BlobEnvironment = Values<typeof blobVariables>;
