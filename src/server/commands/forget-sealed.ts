/** `forget-sealed`: removes texts that only a lost secret key could open. Without `yes` it only lists them. */
import { findLost } from "#platform/seal/key-check.ts";
import { consoleLog } from "#platform/log/log.ts";
import { describeDatabase, hasRecords, openRecords } from "../database/open-records.ts";
import { recordMigrations } from "../database/record-migrations.ts";
import type { RecordTables } from "../database/record-tables.ts";
import { listSealed, sealedRecords } from "../database/sealed-records.ts";
import { parseEnvironment } from "../environment.ts";
import { readEnvironment, takeDataFolder } from "../port/listening.ts";
import { readSecretKey } from "../secret-key.ts";
import { UserError } from "#platform/environment/user-error.ts";

/** @param isSure whether to remove it. @throws UserError when a server is using the folder, or there are no records */
export async function forgetSealed(isSure: boolean): Promise<void> {
  const env = readEnvironment(parseEnvironment);
  const where = describeDatabase(env);
  if (!hasRecords(env))
    throw new UserError(`There are no records in ${where}: set DATA_DIR to the folder that the server uses.`);
  const secretKey = await readSecretKey(env);
  const folder = takeDataFolder(env);
  try {
    const database = await openRecords<RecordTables>(env, {
      migrations: recordMigrations,
      log: consoleLog,
      waitMs: 0,
      isBesideServer: true,
    });
    try {
      const lost = await findLost(database, secretKey, { columns: sealedRecords, remove: isSure });
      console.log(describeLost(where, listSealed(lost), isSure));
    } finally {
      await database.close();
    }
  } finally {
    folder.close();
  }
}

function describeLost(where: string, lost: string, isSure: boolean): string {
  if (lost === "") return `The secret key opens everything that is sealed in ${where}: nothing is lost.`;
  if (isSure)
    return `Removed from ${where}: ${lost}. Builders get new certificates. Owners must set passwords for other registries again. People with two-step sign-in must use a recovery code or a passkey, and set up their app again.`;
  return `In ${where}, the secret key does not open: ${lost}. To remove that for good, stop all servers and run: npm start -- forget-sealed yes`;
}
