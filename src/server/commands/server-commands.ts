/**
 * Commands of the server's program:
 *
 *   node src/server/main.ts                      serves
 *   node src/server/main.ts owner-link [who]     prints a link that signs an owner in, also while a server runs
 *   node src/server/main.ts two-step-off who     turns a person's two-step sign-in off, also while a server runs
 *   node src/server/main.ts forget-sealed [yes]  lists, or removes, texts that the secret key cannot open
 *   node src/server/main.ts setup-builders       prepares the machine for builders, also while a server runs
 *
 * In a checkout, use `npm start -- owner-link` and `npm start -- setup-builders`.
 */
import { sql } from "kysely";
import {
  type Accounts,
  type AccountTables,
  mailsSent,
  makeOwnerLink,
  openMailer,
  openServerAccounts,
  Refused,
  turnOffTwoStepOf,
} from "#accounts/index.ts";
import type { LeaseTables } from "#platform/database/lease.ts";
import { openSharedClock } from "#platform/database/shared-clock.ts";
import { runUrgently } from "#platform/database/urgent.ts";
import { consoleLog } from "#platform/log/log.ts";
import type { BuildFolders } from "../pages/build-folders.ts";
import { openRecordReserve } from "../data-disk.ts";
import { describeDatabase, hasRecords, openRecords } from "../database/open-records.ts";
import { recordMigrations } from "../database/record-migrations.ts";
import { refuseOtherKey } from "../database/sealed-records.ts";
import { parseEnvironment } from "../environment.ts";
import { readEnvironment } from "../port/listening.ts";
import { readSecretKey } from "../secret-key.ts";
import packageJson from "../../../package.json" with { type: "json" };
import { UserError } from "#platform/environment/user-error.ts";

/** A command next to a running server does not wait for an unavailable database. */
const WAIT_MS = 0;

/**
 * @param args of the command line
 * @param prepare makes or finds the build
 * @throws UserError that says what is wrong
 */
export async function runServerCommand(
  args: readonly string[],
  prepare: () => Promise<BuildFolders>,
): Promise<void> {
  const [command, who, ...others] = args;
  if (command === undefined) {
    // Most of the server's code, which no other command needs.
    const { startServer } = await import("../start.ts");
    return startServer(prepare);
  }
  if (command === "owner-link" && others.length === 0) return printOwnerLink(who);
  if (command === "two-step-off" && who !== undefined && others.length === 0) return printTwoStepOff(who);
  if (command === "two-step-off")
    throw new UserError('Name the person whose two-step sign-in to turn off: "two-step-off <name or mail>".');
  if (command === "forget-sealed" && others.length === 0 && (who === undefined || who === "yes")) {
    const { forgetSealed } = await import("./forget-sealed.ts");
    return forgetSealed(who === "yes");
  }
  if (command === "setup-builders") {
    const { runSetupBuilders } = await import("./setup-builders.ts");
    return runSetupBuilders(args.slice(1));
  }
  throw new UserError(
    `There is no command "${args.join(" ")}". Without a command, the server starts; "owner-link [name or mail]" prints a link that signs an owner in; "two-step-off <name or mail>" turns a person's two-step sign-in off; "setup-builders" prepares this machine for builders; "forget-sealed" says what the secret key cannot open.`,
  );
}

async function printOwnerLink(who: string | undefined): Promise<void> {
  await withAccounts(async (accounts) => {
    const { url, user } = await makeOwnerLink(accounts, who);
    const whom = user === null ? "creates the first owner" : `signs ${user} in`;
    console.log(`Open this link, once, within an hour; it ${whom}:\n${url}`);
  });
}

async function printTwoStepOff(who: string): Promise<void> {
  await withAccounts(async (accounts) => {
    const name = await turnOffTwoStepOf(accounts, who);
    console.log(
      `Two-step sign-in of ${name} is off. They sign in with their first step, and can set it up again.`,
    );
  });
}

/** Works while a server runs. Notifies the person by mail, after `run` has printed its result. */
async function withAccounts(run: (accounts: Accounts) => Promise<void>): Promise<void> {
  const env = readEnvironment(parseEnvironment);
  const secretKey = await readSecretKey(env);
  // Creating them here would set up a second server instead of the intended one.
  const missing = new UserError(
    `There are no accounts in ${describeDatabase(env)} yet: start the server once, or set DATA_DIR to the folder that it uses.`,
  );
  if (!secretKey || !hasRecords(env)) throw missing;
  const database = await openRecords<AccountTables & LeaseTables>(env, {
    migrations: recordMigrations,
    reserve: openRecordReserve(env),
    log: consoleLog,
    waitMs: WAIT_MS,
    isBesideServer: true,
    // A link made with another key opens nothing.
    beforeChange: async (found, where) => void (await refuseOtherKey(env, secretKey, { found, where })),
  });
  try {
    const first = await sql`select id from organizations where is_first = 1`.execute(database.db);
    if (first.rows.length === 0) throw missing;
    const clock = await openSharedClock({ database, log: consoleLog });
    const mailer = openMailer(env);
    const { version } = packageJson;
    const parts = { database, secretKey, log: consoleLog, mailer, clock: clock.now, version };
    const accounts = openServerAccounts(env, parts);
    // Urgent, so that an owner can sign in on a full disk to revoke something.
    await runUrgently(() => run(accounts)).finally(async () => {
      await mailsSent(accounts);
      await mailer?.close();
      await accounts.close();
      await clock.stop();
    });
  } catch (error) {
    if (error instanceof Refused) throw new UserError(`${error.message}.`);
    throw error;
  } finally {
    await database.close();
  }
}
