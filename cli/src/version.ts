declare const MILLRACE_VERSION: string;

/** The version of this package: `0.1.0`. */
export const readVersion = (): string => MILLRACE_VERSION;
