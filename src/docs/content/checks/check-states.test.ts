/**
 * Properties of the check of sentences that state what runs:
 * 1. A sentence about the state of a part is found, in every common form, in prose, in a table and in a page's head.
 * 2. Explanations of marks, states of a reader's own things or of other software, and samples of code are not found.
 * 3. The text of components is not found: it is made from the facts.
 */
import { expect, test } from "vitest";
import { components } from "../../components/components.ts";
import { compilePage } from "../page/compile-page.ts";
import { partFactsSchema } from "../facts/fact-schemas.ts";
import { noFacts } from "../facts/facts.ts";
import { checkStates, findStates } from "./check-states.ts";

test.each([
  "Runners are in preview.",
  "Agents are still a preview, and change.",
  "It is an early preview of what comes.",
  "GPU builds are in public beta.",
  "On AWS (preview) the server scales.",
  "Runners do not run yet.",
  "Agents don't yet work on Windows.",
  "The registry does not support deletion of tags yet.",
  "This command is not available in containers yet.",
  "Arm runners are not yet supported.",
  "SAML is not currently supported.",
  "Runners are not in this release.",
  "This server has no agents yet.",
  "GPU builders: this version of Millrace has none.",
  "Sandboxes come with a later release.",
  "The image builds in a future version.",
  "It comes with the next release.",
  "Windows will be supported.",
  "Coming soon: agents.",
  "Agents are coming soon.",
  "A Terraform provider is planned.",
  "Runners are still to come.",
  "Windows is on the roadmap.",
])("1. %s", (text) => expect(findStates(text)).toHaveLength(1));

test.each([
  'What does not run yet carries the mark "Preview".',
  "This page tells what is still to come.",
  "The mark stands beside parts that do not run yet.",
  "Press → to open the preview of a hit.",
  "Each pull request gets an image in preview environments of its own.",
  "The address is a preview deployment.",
  "Your own package is not there yet.",
  "A project that does not exist yet is created.",
  "The step has not run yet, and no build has ended.",
  "No projects yet. No one has written a line yet.",
  "Unset it for now, and set it later.",
  "Check out the next release and deploy.",
  "What a pull request leaves there is read by the next release.",
  "Keep each release working with the tables of the next.",
  "Sign in with a passkey, and add one later.",
  "The planned upgrade of your own cluster starts at night.",
])("2. %s", (text) => expect(findStates(text)).toEqual([]));

const facts = {
  ...noFacts,
  parts: partFactsSchema.parse({
    parts: [{ id: "agents", name: "Agents", state: "preview", page: "/docs/agents", summary: "Agents." }],
  }),
};

async function linesOf(description: string, body: string): Promise<number[]> {
  const source = `---\ntitle: Page\nnavTitle: Page\ndescription: ${description}\ntype: guide\npart: none\n---\n\n${body}\n`;
  const { page } = await compilePage("content/docs/x.mdx", source, { facts, components, toCome: new Map() });
  return checkStates(page ? [page] : []).map(({ line }) => line);
}

test("1. where it stands", async () => {
  const body =
    "Start.\n\n## Agents are in preview\n\n| Part | State |\n| --- | --- |\n| Agents | They do not run yet. |";
  expect(
    await linesOf("Agents come with a later release, and until then nothing of them is there.", body),
  ).toEqual([2, 11, 15]);
});

test("2. and 3. samples and components", async () => {
  const body =
    'Start. Agents <Preview part="agents" /> and `is in preview` <PartNames state="preview" />.\n\n<State part="agents" />\n\n```text\nAgents are in preview.\n```';
  expect(
    await linesOf("A page in which nothing is said by hand of what runs and what does not.", body),
  ).toEqual([]);
});
