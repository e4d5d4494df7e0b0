import type { Repository } from "./repository.ts";

/** The sections of OCI Distribution 1.1 whose sentences are proved; the last section is ours. */
export type Section =
  | "Pulling manifests"
  | "Pulling blobs"
  | "Checking if content exists in the registry"
  | "Push"
  | "POST then PUT"
  | "Single POST"
  | "Pushing a blob in chunks"
  | "Mounting a blob from another repository"
  | "Pushing Manifests"
  | "Pushing Manifests with Subject"
  | "Listing Tags"
  | "Listing Referrers"
  | "Deleting tags"
  | "Deleting Manifests"
  | "Deleting Blobs"
  | "Determining Support"
  | "Endpoints"
  | "Error Codes"
  | "Our own promises";

export interface Row {
  section: Section;
  /** In the specification's words, or in our pages'. Rows with the same sentence add `of`. */
  sentence: string;
  /** The part that this row checks, where the sentence says more than one thing. */
  of?: string;
  /** Two empty repositories of the same owner. @throws when an answer is wrong */
  prove: (here: Repository, there: Repository) => Promise<unknown>;
}
