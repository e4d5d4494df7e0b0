// `npm run backup -- /backups/monday`, or `node src/server/backup.ts /backups/monday` without npm.
import { writeBackup } from "./backup/write-backup.ts";
import { describeDatabase } from "./database/open-records.ts";
import { readRecordsPlace } from "./database/records-place.ts";
import { parseEnvironment } from "./environment.ts";
import { readEnvironment } from "./port/listening.ts";
import { UserError } from "#platform/environment/user-error.ts";
import { runCommand } from "./commands/run-command.ts";

const MEGABYTE = 1_000_000;

await runCommand(async () => {
  const [folder, ...others] = process.argv.slice(2);
  if (!folder || others.length > 0)
    throw new UserError("Name one folder that does not exist yet for the backup: npm run backup -- <folder>");
  const env = readEnvironment(parseEnvironment);
  const elsewhere = env.MILLRACE_DATABASE_URL === undefined ? await readRecordsPlace(env.DATA_DIR) : null;
  if (elsewhere !== null)
    throw new UserError(
      `The records are in ${elsewhere}, and a backup without MILLRACE_DATABASE_URL would take an old millrace.db for them: set the variable as for the server. If they are in millrace.db again, start the server once without it.`,
    );
  const backup = await writeBackup(env.DATA_DIR, folder, {
    hasRecordsElsewhere: env.MILLRACE_DATABASE_URL !== undefined,
  });
  for (const warning of backup.warnings) console.warn(`  ${warning}`);
  if (env.MILLRACE_DATABASE_URL !== undefined)
    console.warn(
      `  The records are not in this backup but in ${describeDatabase(env)}: this copy belongs to the dump that you made before it with pg_dump.`,
    );
  if (env.MILLRACE_SECRET_KEY !== undefined)
    console.warn(
      "  The secret key is in MILLRACE_SECRET_KEY and not in this backup: store it elsewhere, because the records cannot be used without it.",
    );
  const { files } = backup.manifest;
  const bytes = files.reduce((sum, file) => sum + file.bytes, 0);
  console.log(`${backup.folder}: ${files.length} files, ${(bytes / MEGABYTE).toFixed(1)} MB`);
});
