declare const MILLRACE_VERSION: string;
declare const MILLRACE_BUILD: string;

/** The version of this package: `0.1.0`. */
export const readVersion = (): string => MILLRACE_VERSION;

/** The build of that version, if a server handed it out: `1a2b3c4d`. "" if it was built by hand. */
export const readBuild = (): string => MILLRACE_BUILD;

const OFFERED = /^\d{1,5}\.\d{1,5}\.\d{1,5}-[0-9a-f]{8}$/;

/** The CLI that a server hands out: `0.1.0-1a2b3c4d`. Undefined for an older server, which hands out none. */
export function offeredBy(headers: Headers): string | undefined {
  const value = headers.get("millrace-cli") ?? "";
  return OFFERED.test(value) ? value : undefined;
}

/** The same for this program. */
export const ownVersion = (): string => `${readVersion()}-${readBuild()}`;
