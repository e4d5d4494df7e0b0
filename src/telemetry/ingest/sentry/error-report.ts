/** An error as Sentry's SDK sent it, cleaned; its frames are not mapped to the source yet. */
export interface ErrorReport {
  eventId: string;
  at: number;
  platform: "browser" | "server";
  type: string;
  value: string;
  release: string | null;
  environment: string | null;
  path: string | null;
  browser: string | null;
  /** Innermost first. */
  frames: RawFrame[];
}

export interface RawFrame {
  /** As sent: an address of this site, a path, or `<anonymous>`. */
  file: string;
  line: number | null;
  column: number | null;
  function: string | null;
  isInApp: boolean;
  /** Of the built file, where the SDK knew it. */
  debugId: string | null;
}
