/** Variables about where builders run. */
import { z } from "zod";
import { list, type Variables } from "#platform/environment/variables.ts";

const PLATFORM = /^linux\/(?:386|amd64|arm64|arm\/v[67]|ppc64le|riscv64|s390x)$/;
/** Kubernetes' rules for names and labels. */
const NAME = /^[a-z0-9]([-a-z0-9.]{0,251}[a-z0-9])?$/;
const LABEL = /^[A-Za-z0-9][\w./-]{0,316}=[\w.-]{0,63}$/;

export const builderVariables = {
  MILLRACE_BUILDERS: {
    schema: z.enum(["machine", "kubernetes"], { error: "must be machine or kubernetes" }).prefault("machine"),
    about:
      "Where builders run. `machine`: as processes beside the server. `kubernetes`: as pods of the cluster that the server runs in.",
    example: "kubernetes",
    part: "container-builds",
  },
  MILLRACE_BUILDER_IMAGE: {
    schema: z
      .string()
      .regex(
        /^[a-z0-9][\w./:-]{0,250}(?:@sha256:[0-9a-f]{64})?$/,
        "must be the reference of an image, such as moby/buildkit:v0.33.0",
      )
      .optional(),
    about:
      "The BuildKit image of builder pods. A machine with a Docker engine and without `buildkitd` takes the program from this image. Add a digest so that no other image is accepted. With `rootless`, the tag ends with `-rootless`.",
    default: "moby/buildkit:v0.33.0",
    example: "moby/buildkit:v0.33.0@sha256:<digits>",
    part: "container-builds",
  },
  MILLRACE_BUILDER_NAMESPACE: {
    schema: z.string().regex(NAME, "must be the name of a namespace").prefault("millrace-builders"),
    about: "The namespace of builder pods. It must exist, and nothing else should be in it.",
    part: "container-builds",
  },
  MILLRACE_BUILDER_ISOLATION: {
    schema: z
      .enum(["user-namespace", "rootless", "privileged"], {
        error: "must be user-namespace, rootless or privileged",
      })
      .prefault("user-namespace"),
    about:
      "What keeps a build step away from the node of its pod. `user-namespace` needs Kubernetes 1.33. `rootless` needs no privileged pod, but steps share the network and the processes of their builder. With `privileged`, anyone who breaks out of a step is root on the node.",
    example: "rootless",
    part: "container-builds",
  },
  MILLRACE_BUILDER_STORAGE_CLASS: {
    schema: z.string().regex(NAME, "must be the name of a storage class").optional(),
    about: "The storage class of volumes for layer caches in a cluster. Without it, the cluster's default.",
    example: "local-nvme",
    part: "container-builds",
  },
  MILLRACE_BUILDER_NODE_LABELS: {
    schema: list
      .refine((labels) => labels.every((each) => LABEL.test(each)), {
        error: "must be labels such as pool=builds, separated by commas",
      })
      .transform((labels) =>
        Object.fromEntries(labels.map((each) => each.split("=") as [name: string, value: string])),
      )
      .prefault(""),
    about:
      "Labels of the nodes on which builder pods may run, separated by commas. Pods always request their architecture, and tolerate the taint `millrace.dev/builders`.",
    example: "pool=builds",
    part: "container-builds",
  },
  MILLRACE_BUILDER_PLATFORMS: {
    schema: list
      .refine((platforms) => platforms.length > 0 && platforms.every((each) => PLATFORM.test(each)), {
        error: "must be platforms such as linux/amd64, separated by commas",
      })
      .prefault("linux/amd64,linux/arm64"),
    about: "The platforms that the cluster's nodes can build for, separated by commas.",
    part: "container-builds",
  },
  MILLRACE_BUILDER_REGISTRY: {
    schema: z
      .string()
      .regex(
        /^[a-z0-9][a-z0-9.-]{0,252}:\d{2,5}$/,
        "must be a name and a port, such as millrace-registry.millrace.svc:8373",
      )
      .refine((value) => Number(value.split(":")[1]) <= 65_535, { error: "must have a port up to 65535" })
      .optional(),
    about:
      "Where builder pods pull base images and the project's own images without a token, from this server, which listens on that port with mutual TLS. Without it, or with `rootless`, they pull from the public addresses.",
    example: "millrace-registry.millrace.svc:8373",
    part: "container-builds",
  },
} satisfies Variables;
