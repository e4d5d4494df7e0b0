// `npm run restore -- /backups/monday`, or `node src/server/restore.ts /backups/monday`, while no server runs.
import { restoreBackup } from "./backup/restore-backup.ts";
import { parseEnvironment } from "./environment.ts";
import { readEnvironment } from "./listening.ts";
import { runCommand, UserError } from "./user-error.ts";

await runCommand(async () => {
  const [folder, ...others] = process.argv.slice(2);
  if (!folder || others.length > 0)
    throw new UserError("Name one folder, the backup to restore: npm run restore -- <folder>");
  const { DATA_DIR } = readEnvironment(parseEnvironment);
  const { manifest, former } = await restoreBackup(folder, DATA_DIR);
  console.log(`${DATA_DIR} is as it was at ${manifest.createdAt}: ${manifest.files.length} files`);
  if (former) console.log(`What it held before is in ${former}; remove that when you have looked.`);
});
