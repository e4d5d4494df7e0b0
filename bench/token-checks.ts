/**
 * The cost of identifying and authorizing a caller: tokens of 1,000 people, organizations and projects, in turn.
 *
 *   node bench/token-checks.ts        SQLite; PostgreSQL too when MILLRACE_TEST_DATABASE_URL names one
 *
 * `remembered`: all were used within the last four seconds. `asked`: each is read from the database. Rounds alternate; only the
 * ratio of medians to SHA-256 of the same texts counts, not the times.
 */
import { hash } from "node:crypto";
import { openDatabase } from "#platform/database/database.ts";
import { leaseMigrations, type LeaseTables } from "#platform/database/lease.ts";
import { openTestDatabase, availableDatabaseKinds } from "#platform/testing/database.ts";
import { consoleLog } from "#platform/log/log.ts";
import {
  accountMigrations,
  type Accounts,
  type AccountTables,
  authorize,
  createAccounts,
  createProject,
  createToken,
  identify,
  setOwnerToken,
} from "#accounts/index.ts";

const OWNER_TOKEN = "mr_user_for-measurements-0123456789-abcdef";
const TOKENS = 1_000;
const ROUNDS = 7;
const REMEMBERED_PER_ROUND = 100_000;
const ASKED_PER_ROUND = 3_000;
const TOO_OLD_MS = 5_000;
const NANOSECONDS_PER_MS = 1_000_000;

for (const kind of availableDatabaseKinds) {
  await measure(kind);
}

async function measure(kind: (typeof availableDatabaseKinds)[number]): Promise<void> {
  const place = await openTestDatabase(kind);
  const migrations = [...leaseMigrations, ...accountMigrations];
  const database = await openDatabase<AccountTables & LeaseTables>({ at: place.at, migrations });
  const time = { now: Date.now() };
  const accounts = createAccounts({
    database,
    origin: "http://localhost:3000",
    version: "0",
    log: { ...consoleLog, info: () => {} },
    secretKey: new Uint8Array(32),
    clock: () => time.now,
  });
  const tokens = await makeTokens(accounts);
  const seen = { sha256: [] as number[], remembered: [] as number[], asked: [] as number[] };
  for (let round = 0; round <= ROUNDS; round += 1) {
    await check(accounts, tokens, TOKENS);
    const measured = {
      sha256: await cpuOf(REMEMBERED_PER_ROUND, async () => hashAll(tokens)),
      remembered: await cpuOf(REMEMBERED_PER_ROUND, () => check(accounts, tokens, REMEMBERED_PER_ROUND)),
      asked: await cpuOf(ASKED_PER_ROUND, async () => {
        for (let done = 0; done < ASKED_PER_ROUND; done += TOKENS) {
          time.now += TOO_OLD_MS;
          await check(accounts, tokens, TOKENS);
        }
      }),
    };
    // The first round warms up.
    if (round > 0)
      for (const name of ["sha256", "remembered", "asked"] as const) seen[name].push(measured[name]);
  }
  for (const name of ["sha256", "remembered", "asked"] as const) {
    const [each, floor] = [median(seen[name]), median(seen.sha256)];
    const perSecond = Math.round(1_000 / each).toLocaleString("en");
    console.log(
      `${kind} ${name}: ${(each * 1_000).toFixed(1)} µs of CPU, ${perSecond} a second on one core, ${(each / floor).toFixed(1)} times SHA-256`,
    );
  }
  await accounts.close();
  await database.close();
  await place.remove();
}

async function makeTokens(accounts: Accounts): Promise<string[]> {
  await setOwnerToken(accounts, OWNER_TOKEN);
  const caller = { actor: await identify(accounts, { bearer: OWNER_TOKEN }), address: "" };
  const { id: projectId } = await createProject(accounts, caller, { name: "web" });
  const secrets: string[] = [];
  for (let index = 0; index < TOKENS; index += 1) {
    const kind = [{ type: "user" }, { type: "org" }, { type: "project", projectId }][index % 3] ?? {
      type: "org",
    };
    secrets.push((await createToken(accounts, caller, { name: `token ${index}`, ...kind })).secret);
  }
  return secrets;
}

async function check(accounts: Accounts, tokens: readonly string[], count: number): Promise<void> {
  for (let index = 0; index < count; index += 1) {
    const bearer = tokens[index % tokens.length];
    const actor = await identify(accounts, { bearer });
    const organizationId = actor.organizationId ?? "";
    const refused = authorize(actor, "build.read", {
      name: "a build",
      organizationId,
      projectId: "prj_other",
    });
    if (refused && actor.kind !== "project") throw refused;
  }
}

function hashAll(tokens: readonly string[]): void {
  for (let index = 0; index < REMEMBERED_PER_ROUND; index += 1)
    hash("sha256", tokens[index % tokens.length] ?? "", "base64url");
}

/** @returns milliseconds of CPU per check */
async function cpuOf(count: number, run: () => Promise<void>): Promise<number> {
  const before = process.cpuUsage();
  await run();
  const { user, system } = process.cpuUsage(before);
  return ((user + system) * 1_000) / NANOSECONDS_PER_MS / count;
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}
