/** What this server can run, and what it cannot run yet: the same words at the start, in the app, in the API and for a build. */
export interface Capability {
  /** `Images for linux/amd64` */
  name: string;
  /** `limited`: it runs, slowly or without its limits. */
  state: "ready" | "limited" | "missing";
  /** What is lost and why, in sentences without folders of the server; "": nothing. */
  lost: string;
  /** What an operator types on the server's machine; "": there is no command that brings it. */
  command: string;
}

/** How a build is told that nothing can build it; its endpoint adds who can mend it. */
export const CANNOT = "Builders cannot run on this server yet";

/** `a`; `a and b`; `a, b and c` */
export function joinWords(words: readonly string[]): string {
  const last = words.at(-1) ?? "";
  return words.length < 2 ? last : `${words.slice(0, -1).join(", ")} and ${last}`;
}

/** One line for whoever starts the server. */
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
