/** Every cap of builders in a cluster. */

/** Timeout of one request to Kubernetes' API. */
export const ASK_MS = 15_000;
/** Size of a response: a list of all pods and volumes of this installation. */
export const MAX_ANSWER_BYTES = 32 * 1024 ** 2;
/** A cluster that adds a node for the pod needs minutes. */
export const START_MS = 5 * 60_000;
/** How long to wait for a pod to end: its successor has the same name and volume. */
export const GONE_MS = 60_000;
export const ASK_AGAIN_MS = 250;
/** Longer when it takes a while: an image is pulled, or a node is added. */
export const ASK_AGAIN_LATER_MS = 2_000;
/** How often a server notes that it uses a pod, and how long that counts: three notes may fail. */
export const RENEW_MS = 20_000;
export const USED_MS = 70_000;
/** How often unused pods are looked for. */
export const SWEEP_MS = 60_000;
/** Lifetime of pod certificates, which are made anew with each pod. */
export const CERTIFICATE_MS = 365 * 24 * 60 * 60_000;
/** For buildkitd to end its steps. */
export const GRACE_SECONDS = 10;
/** Port of buildkitd in its pod. */
export const POD_PORT = 8372;
/** For connections that have not shown a certificate yet. */
export const HANDSHAKE_MS = 10_000;
export const MAX_CONNECTIONS = 4_096;

/** For a node to report the state of a pod whose connection ended. */
export const DOUBT_MS = 10_000;
