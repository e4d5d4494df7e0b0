/**
 * Adds new migrations to the ledger of landed migrations. A migration in the ledger must not change. While it is only on your
 * branch, name it to rewrite its entry:
 *
 *   npm run node scripts/update-migrations.ts
 *   npm run node scripts/update-migrations.ts accounts-5
 */
import { UserError } from "#platform/environment/user-error.ts";
import { runCommand } from "#server/commands/run-command.ts";
import {
  compareLedger,
  hashAllMigrations,
  LEDGER_FILE,
  readLedger,
  saveLedger,
} from "./migrations/ledger.ts";

await runCommand(async () => {
  const unlanded = process.argv.slice(2);
  const kept = Object.entries(readLedger()).filter(
    ([name]) => !unlanded.includes(name.replace(/ \(\w+\)$/, "")),
  );
  const [ledger, today] = [Object.fromEntries(kept), await hashAllMigrations()];
  const { changed, added } = compareLedger(ledger, today);
  if (changed.length > 0)
    throw new UserError(
      `These migrations have landed and were changed since: ${changed.join(", ")}. They have already run on databases. Restore them, and write the change as a new migration at the end.`,
    );
  saveLedger({ ...ledger, ...Object.fromEntries(added.map((name) => [name, today[name]!])) });
  console.log(`${LEDGER_FILE}: ${added.length === 0 ? "nothing is new" : `added ${added.join(", ")}`}`);
});
