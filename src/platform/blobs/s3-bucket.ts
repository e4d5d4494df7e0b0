import type { S3Client } from "@aws-sdk/client-s3";

/** Parameters of one bucket. */
export interface Bucket {
  /** Loaded only when used. */
  sdk: typeof import("@aws-sdk/client-s3");
  client: S3Client;
  name: string;
  keyOf: (place: string) => string;
}
