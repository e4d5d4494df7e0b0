/** What a reader does that analytics wants to know. */
export interface TrackedEvents {
  /** A page was shown by a navigation on the client. */
  page: undefined;
  answer: SearchAnswered;
  feedback: { answer: string };
}

export interface SearchAnswered {
  query: string;
  total: number;
  hits: { objectID: string; url: string }[];
  /** The search provider's name for this answer, when it has one. */
  queryID?: string | undefined;
}

type Listener = <Name extends keyof TrackedEvents>(name: Name, detail: TrackedEvents[Name]) => void;

let listener: Listener | undefined;

/** Tells the listener, which exists only while the reader agrees to analytics. Nothing is kept for a later one. */
export const track: Listener = (name, detail) => listener?.(name, detail);

export function setTrackListener(next: Listener | undefined): void {
  listener = next;
}
