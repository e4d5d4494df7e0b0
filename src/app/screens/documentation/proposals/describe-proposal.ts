import type { Proposal, SearchAction } from "#telemetry/index.ts";
import { cutText } from "../../../format.ts";

const NAMES: { [kind in Proposal["kind"]]: string } = {
  synonym: "Synonym",
  redirect: "Redirect",
  page: "Write a page",
};

/** "Synonym: kubernets, kubernetes" */
export function describeProposal(proposal: Proposal): string {
  const name = NAMES[proposal.kind];
  if (proposal.kind === "synonym")
    return `${name}: ${proposal.words.map((word) => cutText(word, 60)).join(", ")}`;
  if (proposal.kind === "redirect") return `${name}: ${proposal.path}`;
  return proposal.title ? `${name}: ${proposal.title}` : name;
}

/** The action that makes the change; null for a page, which a person writes. */
export function actionOf(proposal: Proposal): SearchAction | null {
  if (proposal.kind === "synonym") return { kind: "synonym", words: proposal.words };
  if (proposal.kind === "redirect") return { kind: "redirect", query: proposal.query, path: proposal.path };
  return null;
}

/** Asks for the missing answers at the terminal. */
export const commandFor = (title: string): string =>
  `npm run new-page --${title ? ` --type guide --title "${title}"` : ""}`;
