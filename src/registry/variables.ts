/** Variables of the registry: how much it keeps, for how long, and what it pulls through. */
import { z } from "zod";
import { parsed, quota, retention, type Values, type Variables } from "#platform/environment/variables.ts";
import { parseMirrorHosts } from "./mirror/names/hosts.ts";

export const registryVariables = {
  /** In bytes. */
  MILLRACE_IMAGE_QUOTA: {
    schema: quota.prefault("500GB"),
    about: "The maximum size of all images of an organization, with each blob counted once.",
    part: "registry",
  },
  /** In milliseconds. */
  MILLRACE_IMAGE_RETENTION: {
    schema: retention.prefault("7d"),
    about: "How long saved images without a tag of their own are kept.",
    part: "registry",
  },
  MILLRACE_BLOB_REDIRECT: {
    schema: z
      .enum(["on", "off"], "must be on or off")
      .transform((value) => value === "on")
      .prefault("off"),
    about:
      "`on`: the registry sends clients that pull a layer to an address of the bucket that is valid for 20 minutes. For that, clients must be able to reach the bucket. `off`: the server sends layers itself.",
    example: "on",
    part: "registry",
  },
  MILLRACE_MIRROR_HOSTS: {
    schema: parsed(
      parseMirrorHosts,
      (reason) =>
        `must be hosts separated by commas, such as docker.io,registry.example.com, or none: ${reason}`,
    ).optional(),
    about:
      "The registries whose images the server mirrors, under `mirror/<host>/`. People in several organizations with credentials for a host name one organization in the address, `mirror/<organization>/<host>/`. Without this variable, these are `docker.io`, `ghcr.io`, `quay.io`, `gcr.io`, `registry.k8s.io`, `mcr.microsoft.com`, `public.ecr.aws` and `registry.gitlab.com`. `none` turns the mirror off. `host=address` sets a different address for a host, such as `docker.io=https://docker.example.com`. A host that you list may be on a private network.",
    example: "docker.io,registry.example.com",
    part: "registry",
  },
  MILLRACE_MIRROR_CREDENTIALS: {
    schema: z.string().optional(),
    about:
      "The path of a Docker `config.json` with `auths`, whose names and passwords the server uses for these registries. Everyone who can pull from the server can pull what these credentials open.",
    example: "/etc/millrace/docker-config.json",
    part: "registry",
  },
  /** In bytes. */
  MILLRACE_MIRROR_QUOTA: {
    schema: quota.prefault("100GB"),
    about:
      "The maximum size of all mirrored images, with each blob counted once. Above it, the least recently pulled images are removed first. They do not count toward any organization's `MILLRACE_IMAGE_QUOTA`.",
    part: "registry",
  },
} satisfies Variables;

export type RegistryEnvironment = Values<typeof registryVariables>;
