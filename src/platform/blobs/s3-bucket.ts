import type { S3Client } from "@aws-sdk/client-s3";

/** Everything about one bucket. */
export interface Bucket {
  /** Loaded only by who uses it. */
  sdk: typeof import("@aws-sdk/client-s3");
  client: S3Client;
  name: string;
  keyOf: (place: string) => string;
}
