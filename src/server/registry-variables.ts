/** Variables of the registry: how much it keeps, and for how long. */
import { z } from "zod";
import { DEFAULT_MIRROR_QUOTA_BYTES, parseMirrorHosts } from "#registry/index.ts";
import { quota, retention } from "./cache-variables.ts";
import { UNIT_MS } from "./durations.ts";

const mirrorHosts = z.string().transform((value, context) => {
  try {
    return parseMirrorHosts(value);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    context.addIssue(
      `must be hosts separated by commas, such as docker.io,registry.example.com, or none: ${reason}`,
    );
    return z.NEVER;
  }
});

export const registryVariables = {
  /** All images of one organization, each blob counted once, in bytes. */
  MILLRACE_IMAGE_QUOTA: quota.default(500_000_000_000),
  /** Whether clients fetch blobs from the bucket itself. */
  MILLRACE_BLOB_REDIRECT: z
    .enum(["on", "off"], "must be on or off")
    .default("off")
    .transform((value) => value === "on"),
  /** Milliseconds that a saved build without a tag of its own is kept. */
  MILLRACE_IMAGE_RETENTION: retention.default(7 * UNIT_MS.d),
  /** Registries whose images are pulled through. Default: well-known public ones. */
  MILLRACE_MIRROR_HOSTS: mirrorHosts.optional(),
  /** Path of a `config.json` of Docker with a name and a password for some of them. */
  MILLRACE_MIRROR_CREDENTIALS: z.string().optional(),
  /** All that is pulled through, in bytes. */
  MILLRACE_MIRROR_QUOTA: quota.default(DEFAULT_MIRROR_QUOTA_BYTES),
};
