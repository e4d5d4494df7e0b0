/** Milliseconds since the build's start. */
export interface Span {
  start: number;
  end: number;
}
