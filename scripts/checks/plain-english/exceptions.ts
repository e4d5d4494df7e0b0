/** Files that the check "plain english" does not read, and texts that may keep their words. */

/** Files whose paths match, with the reason. */
export const NOT_READ: readonly [paths: RegExp, reason: string][] = [
  [/(?:^|\/)gen\//, "Generated from schemas, which are read."],
  [/^tests\/fixtures\/(?:wire|landings\/folders)\//, "Recorded as other programs sent or left it."],
  [/^tests\/fixtures\/pasted-errors\.yaml$/, "The messages of other programs."],
  [/^scripts\/checks\/plain-english/, "Examples of every pattern."],
];

export interface EnglishException {
  file: string;
  /** Found in the line. */
  line: RegExp;
  reason: string;
}

export const EXCEPTIONS: readonly EnglishException[] = [
  { file: "CONTRIBUTING.md", line: /^\| "/, reason: "The table of what not to write." },
  {
    file: "content/docs/security.mdx",
    line: /^### When somebody floods the sign-in$/,
    reason: "Links lead to the anchor of this heading.",
  },
];
