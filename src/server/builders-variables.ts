/** Variables of where builders run. */
import { z } from "zod";

const PLATFORM = /^linux\/(?:386|amd64|arm64|arm\/v[67]|ppc64le|riscv64|s390x)$/;
/** As Kubernetes takes them. */
const NAME = /^[a-z0-9]([-a-z0-9.]{0,251}[a-z0-9])?$/;
const LABEL = /^[A-Za-z0-9][\w./-]{0,316}=[\w.-]{0,63}$/;

const split = (value: string) =>
  value
    .split(",")
    .map((each) => each.trim())
    .filter((each) => each !== "");

export const buildersVariables = {
  /** Processes of this machine, or pods of the cluster that this server runs in. */
  MILLRACE_BUILDERS: z
    .enum(["machine", "kubernetes"], { error: "must be machine or kubernetes" })
    .default("machine"),
  /** Of BuildKit: of pods, and where `buildkitd` comes from on a machine with a Docker engine. */
  MILLRACE_BUILDER_IMAGE: z
    .string()
    .regex(
      /^[a-z0-9][\w./:-]{0,250}(?:@sha256:[0-9a-f]{64})?$/,
      "must be the reference of an image, such as moby/buildkit:v0.33.0",
    )
    .optional(),
  /** Of pods: nothing else should be in it. */
  MILLRACE_BUILDER_NAMESPACE: z
    .string()
    .regex(NAME, "must be the name of a namespace")
    .default("millrace-builders"),
  /** What is between a step and the node that its pod runs on. */
  MILLRACE_BUILDER_ISOLATION: z
    .enum(["user-namespace", "rootless", "privileged"], {
      error: "must be user-namespace, rootless or privileged",
    })
    .default("user-namespace"),
  /** Of the volumes of layer caches. */
  MILLRACE_BUILDER_STORAGE_CLASS: z.string().regex(NAME, "must be the name of a storage class").optional(),
  /** Of nodes that pods may run on, beside their architecture. */
  MILLRACE_BUILDER_NODE_LABELS: z
    .string()
    .default("")
    .transform(split)
    .refine((labels) => labels.every((each) => LABEL.test(each)), {
      error: "must be labels such as pool=builds, separated by commas",
    })
    .transform((labels) =>
      Object.fromEntries(labels.map((each) => each.split("=") as [name: string, value: string])),
    ),
  /** Of the nodes of the cluster. */
  MILLRACE_BUILDER_PLATFORMS: z
    .string()
    .default("linux/amd64,linux/arm64")
    .transform(split)
    .refine((platforms) => platforms.length > 0 && platforms.every((each) => PLATFORM.test(each)), {
      error: "must be platforms such as linux/amd64, separated by commas",
    }),
  /** Where pods reach this server's registry: a Service, at whose port this server listens with mutual TLS. */
  MILLRACE_BUILDER_REGISTRY: z
    .string()
    .regex(
      /^[a-z0-9][a-z0-9.-]{0,252}:\d{2,5}$/,
      "must be a name and a port, such as millrace-registry.millrace.svc:8373",
    )
    .refine((value) => Number(value.split(":")[1]) <= 65_535, { error: "must have a port up to 65535" })
    .optional(),
};
