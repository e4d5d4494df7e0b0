/**
 * The date of a build: the clock, or `SOURCE_DATE_EPOCH` (seconds since 1970), with which two builds of a commit have
 * the same bytes.
 */
export function buildTime(environment: NodeJS.ProcessEnv = process.env): Date {
  const seconds = environment["SOURCE_DATE_EPOCH"] ?? "";
  return /^\d{1,11}$/.test(seconds) ? new Date(Number(seconds) * 1000) : new Date();
}
