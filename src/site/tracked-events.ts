/** Reader actions that analytics records. */
export interface TrackedEvents {
  /** A client navigation showed a page. */
  page: undefined;
  answer: SearchAnswered;
  feedback: { answer: string };
}

export interface SearchAnswered {
  query: string;
  total: number;
  hits: { objectID: string; url: string }[];
  /** The search provider's name for this answer, if it has one. */
  queryID?: string | undefined;
}

type Listener = <Name extends keyof TrackedEvents>(name: Name, detail: TrackedEvents[Name]) => void;

let listener: Listener | undefined;

/** Calls the listener, which exists only while the reader agrees to analytics. Keeps nothing for later. */
export const track: Listener = (name, detail) => listener?.(name, detail);

export function setTrackListener(next: Listener | undefined): void {
  listener = next;
}
