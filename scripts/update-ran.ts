/**
 * `npm run node scripts/update-ran.ts`, after `npm run test:clients` on a commit without changes: writes into
 * `content/ran.json` which blocks ran, from the notes of the tests.
 */
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { format } from "prettier";
import { loadFacts } from "#docs/content/facts/facts.ts";
import { addRuns, RAN_FILE, type Ran, ranSchema, readRan } from "#docs/content/executed/ran.ts";
import { readStates } from "#docs/content/executed/read-states.ts";
import { UserError } from "#platform/environment/user-error.ts";
import { runCommand } from "#server/commands/run-command.ts";
import { ranFolder, root } from "#server/pages/build-folders.ts";
import { compileContent } from "./steps/content-step.ts";

await runCommand(async () => {
  const notes = readNotes();
  const known = { given: readStates(root).given, facts: loadFacts(root).facts, ran: readRan(root).ran };
  const { pages } = await compileContent();
  const ran = addRuns(pages, known, notes);
  writeFileSync(join(root, RAN_FILE), await format(JSON.stringify(ran), { parser: "json", printWidth: 110 }));
  console.log(`${RAN_FILE}: ${Object.keys(notes).length} pages with new runs`);
});

function readNotes(): Ran {
  let names: string[] = [];
  try {
    names = readdirSync(ranFolder);
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "ENOENT")) throw error;
  }
  if (names.length === 0)
    throw new UserError("No test has run commands of a page on a commit without changes: run them first.");
  const notes: Ran = {};
  for (const name of names)
    for (const [path, runs] of Object.entries(
      ranSchema.parse(JSON.parse(readFileSync(join(ranFolder, name), "utf8"))),
    ))
      (notes[path] ??= []).push(...runs);
  return notes;
}
