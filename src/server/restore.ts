// `npm run restore -- /backups/monday`, or `node src/server/restore.ts /backups/monday`, while no server runs.
import { restoreBackup } from "./backup/restore-backup.ts";
import { describeDatabase } from "./database/open-records.ts";
import { parseEnvironment } from "./environment.ts";
import { readEnvironment } from "./port/listening.ts";
import { UserError } from "#platform/environment/user-error.ts";
import { runCommand } from "./commands/run-command.ts";

await runCommand(async () => {
  const [folder, ...others] = process.argv.slice(2);
  if (!folder || others.length > 0)
    throw new UserError("Name one folder, the backup to restore: npm run restore -- <folder>");
  const env = readEnvironment(parseEnvironment);
  const { DATA_DIR } = env;
  const { manifest, former } = await restoreBackup(folder, DATA_DIR);
  console.log(`Restored ${DATA_DIR} to its state at ${manifest.createdAt}: ${manifest.files.length} files`);
  if (env.MILLRACE_DATABASE_URL !== undefined)
    console.warn(`  The records in ${describeDatabase(env)} are unchanged: restore them with pg_restore.`);
  if (former)
    console.log(
      `Its previous content is in ${former}. Remove that folder after you have checked the restored data.`,
    );
});
