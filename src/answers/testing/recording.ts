import type { Passage } from "../passages/find-passages.ts";

/** A question with what a model answered to it. */
export interface Recording {
  question: string;
  api: "openai" | "anthropic";
  model: string;
  /** As the model got them. */
  passages: Passage[];
  /** The sentences that the passages support, as a person judged. */
  said: string[];
  /** The bytes of the model's stream, as text. */
  stream: string;
}
