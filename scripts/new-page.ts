import { createInterface } from "node:readline/promises";
import { parseArgs } from "node:util";
import { root } from "#server/pages/build-folders.ts";
import { UserError } from "#platform/environment/user-error.ts";
import { runCommand } from "#server/commands/run-command.ts";
import { createPage, PAGE_TYPES } from "./new-page/new-page.ts";

const USAGE = `npm run new-page -- /docs/cache/reference/buck2 --type guide --title "Cache a Buck2 build"

  --type   ${PAGE_TYPES.join(", ")}
  --title  at most 60 characters
  --part   of content/facts/parts.yaml; default: the part of the address`;

await runCommand(async () => {
  const wish = readWish();
  // At a terminal, ask for missing values.
  if (process.stdin.isTTY && process.stdout.isTTY) await askMissing(wish);
  const { path, type, title, part } = wish;
  if (path === undefined || type === undefined || title === undefined) throw new UserError(USAGE);
  const files = await createPage(root, { path, type, title, part });
  console.log(`${files.join("\n")}

The page is a draft: \`npm run dev\` shows it at ${path}, with what the checks say about it. To publish it, remove
\`draft: true\`, write two questions for it in tests/relevance, and run \`npm run node scripts/update-anchors.ts\`.`);
});

interface Missing {
  path?: string | undefined;
  type?: string | undefined;
  title?: string | undefined;
  part?: string | undefined;
}

function readWish(): Missing {
  const options = { type: { type: "string" }, title: { type: "string" }, part: { type: "string" } } as const;
  try {
    const { values, positionals } = parseArgs({ options, allowPositionals: true });
    if (positionals.length > 1) throw new Error(`One page at a time: ${positionals.join(" ")}.`);
    return { path: positionals[0], ...values };
  } catch (error) {
    throw new UserError(`${error instanceof Error ? error.message : String(error)}\n\n${USAGE}`);
  }
}

async function askMissing(wish: Missing): Promise<void> {
  const terminal = createInterface({ input: process.stdin, output: process.stdout });
  try {
    wish.path ??= await terminal.question("Address, like /docs/cache/reference/buck2: ");
    wish.type ??= await terminal.question(`Type (${PAGE_TYPES.join(", ")}): `);
    wish.title ??= await terminal.question("Title: ");
  } finally {
    terminal.close();
  }
}
