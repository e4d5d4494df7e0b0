/**
 * The check of texts that are not on a page:
 * 1. Texts of facts and of marketing files are read, comments and keys are not; the application, the CLI and the marketing pages
 *    hard-code no states.
 * 2. In code, strings, templates and element text are read, even when split by elements and values; comments and names are not.
 * 3. Texts that are derived from the facts are exempt.
 */
import { expect, test } from "vitest";
import { findStates } from "#docs/content/checks/check-states.ts";
import { checkStateWords, wordsOfCode, wordsOfYaml } from "./state-words.ts";

const linesOf = (words: { text: string; line: number }[]) =>
  words.filter(({ text }) => findStates(text).length > 0).map(({ line }) => line);

test("1. the repository", () => expect(checkStateWords()).toEqual([]));

test("1. and 3. YAML", () => {
  const source = `# Agents are in preview.
title: Agents are in preview
preview: Agents are in preview.
quoted: "Not in this release: {{parts:preview}}"
beside: "on Managed{{preview:managed}}, which is planned"
rows:
  - [Agents, "come with a later release"]
are in preview: "yes"
`;
  expect(linesOf(wordsOfYaml(source))).toEqual([2, 7]);
});

test("2. and 3. code", () => {
  const source = `// Agents are in preview.
const inPreview = "Agents are in preview.";
const made = \`\${name} are not available yet\`;
const ofFacts = \`this server has no \${facts.parts[part]} yet\`;
const asked = isPreview(product) ? "Documented, and not in this release" : "here";
const always = isReady ? "Agents are in preview" : "";
export const Part = () => (
  <p>
    Agents <b>are</b>
    {" "}not available yet.
  </p>
);
export const Mark = () => isPreview && <small>They do not run yet.</small>;
`;
  expect(linesOf(wordsOfCode("src/app/x.tsx", source))).toEqual([2, 3, 6, 8]);
});
