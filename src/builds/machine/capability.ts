/** What this server can and cannot run: the same words in the start message, the app, the API and a build. */
export interface Capability {
  /** `Images for linux/amd64` */
  name: string;
  /** `limited`: it runs, slowly or without its limits. */
  state: "ready" | "limited" | "missing";
  /** What does not work and why, in sentences without the server's folders; "": nothing is lost. */
  lost: string;
  /** The command for an operator to run on the server's machine; "": no command fixes it. */
  command: string;
}

/** The error of a build that no builder can run; its endpoint adds who can fix that. */
export const CANNOT = "Builders cannot run on this server yet";

/** `a`; `a and b`; `a, b and c` */
export function joinWords(words: readonly string[]): string {
  const last = words.at(-1) ?? "";
  return words.length < 2 ? last : `${words.slice(0, -1).join(", ")} and ${last}`;
}

/** One line for the operator who starts the server. */
export function describeCapabilities(capabilities: readonly Capability[]): string {
  const images = capabilities.filter(({ name }) => name.startsWith(IMAGES));
  const missing = images.find(({ state }) => state === "missing");
  if (missing)
    return `${missing.lost}${missing.command && ` Run this, even while the server is running: ${missing.command}`}`;
  const names = images.map(
    ({ name, state }) => name.slice(IMAGES.length) + (state === "limited" ? " (emulated)" : ""),
  );
  const limits = capabilities.find(({ name, state }) => name === LIMITS && state === "limited");
  return `Builders can run here, for ${joinWords(names)}.${limits ? ` ${limits.lost}` : ""}`;
}

export const IMAGES = "Images for ";
export const LIMITS = "Limits of CPU and memory";
