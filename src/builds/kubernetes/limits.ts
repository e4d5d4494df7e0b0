/** Every cap of builders in a cluster. */

/** Of one question to Kubernetes' API. */
export const ASK_MS = 15_000;
/** Of an answer: a list of all pods and volumes of this installation. */
export const MAX_ANSWER_BYTES = 32 * 1024 ** 2;
/** A cluster that adds a node for it needs minutes. */
export const START_MS = 5 * 60_000;
/** A pod that ends is waited for: its successor has its name and its volume. */
export const GONE_MS = 60_000;
export const ASK_AGAIN_MS = 250;
/** Longer, when it takes long: an image is pulled, or a node is added. */
export const ASK_AGAIN_LATER_MS = 2_000;
/** How often a server says that it uses a pod, and how long that counts: three may fail. */
export const RENEW_MS = 20_000;
export const USED_MS = 70_000;
/** How often pods that nobody uses are looked for. */
export const SWEEP_MS = 60_000;
/** Of certificates of pods, which are made anew with each pod. */
export const CERTIFICATE_MS = 365 * 24 * 60 * 60_000;
/** buildkitd ends its steps. */
export const GRACE_SECONDS = 10;
/** Of buildkitd in its pod. */
export const POD_PORT = 8372;
/** Connections that have shown no certificate yet. */
export const HANDSHAKE_MS = 10_000;
export const MAX_CONNECTIONS = 4_096;

/** For a node to say what has become of a pod whose connection ended. */
export const DOUBT_MS = 10_000;
