/**
 * Decides who gets a turn while someone floods the addresses for people.
 *
 *   a valid secret                  found, whatever others at its address do; only wrong secrets count
 *   a signed-in person              a share of their own
 *   strangers                       shares of the address and of the networks around it
 *   strangers, with work done       the same shares once more
 */
import type { Context } from "hono";
import pLimit from "p-limit";
import { addressKey, type AddressOf } from "#platform/http/addresses/client-address.ts";
import type { Accounts } from "../../contract/accounts.ts";
import type { UserActor } from "../../contract/actor.ts";
import { Refused } from "../../contract/refused.ts";
import { hashSecret } from "../../contract/token-text.ts";
import { type Count, createCount, createNetworkCount, type NetworkCount } from "./counts.ts";
import { createSharedCounts, type SharedCounts } from "./shared-counts.ts";
import { acceptWork, BASE_BITS, WorkAsked, type WorkUse } from "./work.ts";

/** Per client and minute. An office behind one address signs in at nine o'clock. */
const LIMITS = {
  /** Unknown links. 60 random bits need no stricter limit. */
  link: 60,
  /** Invalid answers of passkeys. */
  passkey: 120,
  mail: 10,
  provider: 60,
  device: 20,
  /** Unknown device codes. */
  poll: 240,
} as const;
export type LimitName = keyof typeof LIMITS;
/** Kinds that each server counts alone: an additional share does no harm. Servers that share PostgreSQL count the others together. */
const COUNTED_ALONE: readonly string[] = ["poll", "provider"];
/** Codes that match no login, per person and minute: 34 random bits, and each code lives for 15 minutes. */
const TYPED_CODES = 20;
/** Links by mail for all strangers together per minute, before they are asked for work. */
const MAILS = 120;
/** Secrets looked up for clients with too many wrong ones: at the same time, and in the queue. */
const LOOKED_UP_AT_ONCE = 2;
const MAX_LOOK_UPS = 100;
/** The answer to clients that may do work instead. */
const WAIT_SECONDS = 60;
/** Uses of one secret by one client per minute: a program asks twelve times whether its login is approved. */
const USES_OF_SECRET = 60;

export interface Admission {
  shared: SharedCounts;
  /** Counts a request; a signed-in person has a share of their own. @throws Refused `resource_exhausted` */
  admit: (context: Context, limit: LimitName) => Promise<void>;
  /**
   * Counts a stranger's request.
   * @param findBits how much work to ask for, 0: none; its argument says whether work is required anyway
   * @returns whether work was done for it
   * @throws WorkAsked; Refused `resource_exhausted` for a client that has worked too often
   */
  admitByWork: (
    context: Context,
    use: WorkUse,
    findBits: (isOver: boolean) => Promise<number>,
  ) => Promise<boolean>;
  /**
   * Looks up the object of a shown secret.
   * @param secret null: it works once
   * @param find for a wrong secret returns null, or throws `not_found` or `unauthenticated`
   * @throws Refused `resource_exhausted` for a client with too many wrong secrets, and the errors of `find`
   */
  lookUp: <Found>(
    context: Context,
    shown: { limit: LimitName; secret: string | null },
    find: () => Promise<Found>,
  ) => Promise<Found>;
  /** The same for codes that a person types. */
  lookUpTyped: <Found>(context: Context, user: UserActor, find: () => Promise<Found>) => Promise<Found>;
}

export interface AdmissionOptions {
  addressOf: AddressOf;
  /** Multiplies how often one client may ask; 0 removes these limits. */
  rateLimitFactor?: number;
}

type ReadUser = (context: Context) => Promise<UserActor | null>;

export function createAdmission(
  accounts: Accounts,
  readUser: ReadUser,
  { addressOf, rateLimitFactor = 1 }: AdmissionOptions,
): Admission {
  const shared = createSharedCounts(accounts);
  const isLimited = rateLimitFactor > 0;
  const counts = createCounts(accounts, rateLimitFactor || 1, shared);
  const { strangers, workers, people, secrets, typed, allMails } = counts;
  return {
    shared,
    async admit(context, name) {
      const wait = isLimited ? await strangers.get(name)!.take(addressOf(context)) : 0;
      if (wait === 0) return;
      const user = await readUser(context);
      if (user === null || (await people.get(name)!.take(user.userId)) > 0) throw tooMany(context, wait);
    },
    async admitByWork(context, use, findBits) {
      const address = addressOf(context);
      let wait = isLimited ? await strangers.get(use)!.take(address) : 0;
      if (wait === 0 && use === "mail" && isLimited) wait = await allMails.take("");
      const bits = Math.max(await findBits(wait > 0), wait > 0 ? BASE_BITS : 0);
      if (bits === 0) return false;
      if (!(await acceptWork(accounts, context, { use, address, bits }))) {
        context.header("Retry-After", String(wait || WAIT_SECONDS));
        throw new WorkAsked(accounts, { use, address, bits });
      }
      const late = isLimited ? await workers.get(use)!.take(address) : 0;
      if (late > 0) throw tooMany(context, late);
      return true;
    },
    lookUp: createLookUp(secrets, (limit) => (isLimited ? strangers.get(limit)! : null), addressOf),
    async lookUpTyped(context, user, find) {
      if (!isLimited) return find();
      if ((await typed.left(user.userId)) === 0) throw tooMany(context, await typed.take(user.userId));
      return judge(context, () => typed.take(user.userId), find);
    },
  };
}

function createCounts(accounts: Accounts, factor: number, shared: SharedCounts) {
  const scaled = (name: string, perMinute: number, counts: SharedCounts | null = shared) => {
    const some = perMinute * factor;
    return { name, perMinute: some, burst: Math.max(1, some), shared: counts };
  };
  const names = Object.keys(LIMITS) as LimitName[];
  const countsOf = (kind: string) =>
    new Map(
      names.map((name) => {
        const counts = COUNTED_ALONE.includes(name) ? null : shared;
        return [name, createNetworkCount(accounts, scaled(kind + name, LIMITS[name], counts))];
      }),
    );
  return {
    strangers: countsOf(""),
    workers: countsOf("work "),
    people: new Map(
      names.map((name) => [name, createCount(accounts, scaled(`person ${name}`, LIMITS[name], null))]),
    ),
    secrets: createCount(accounts, scaled("secret", USES_OF_SECRET, null)),
    typed: createCount(accounts, scaled("code", TYPED_CODES)),
    allMails: createCount(accounts, scaled("mails", MAILS)),
  };
}

/** @param countOf returns null for no limit */
function createLookUp(
  secrets: Count,
  countOf: (limit: LimitName) => NetworkCount | null,
  addressOf: AddressOf,
): Admission["lookUp"] {
  const inTurn = pLimit(LOOKED_UP_AT_ONCE);
  return async (context, { limit, secret }, find) => {
    const count = countOf(limit);
    if (!count) return find();
    const address = addressOf(context);
    const late = secret === null ? 0 : await secrets.take(`${addressKey(address)} ${hashSecret(secret)}`);
    if (late > 0) throw tooMany(context, late);
    const judged = () => judge(context, () => count.take(address), find);
    if (!count.isOver(address)) return judged();
    if (inTurn.pendingCount >= MAX_LOOK_UPS) throw tooMany(context, 1);
    return inTurn(judged);
  };
}

/** Counts wrong secrets. */
async function judge<Found>(
  context: Context,
  count: () => Promise<number>,
  find: () => Promise<Found>,
): Promise<Found> {
  const refuse = async () => {
    const wait = await count();
    if (wait > 0) throw tooMany(context, wait);
  };
  try {
    const found = await find();
    if (found === null) await refuse();
    return found;
  } catch (error) {
    if (error instanceof Refused && (error.code === "not_found" || error.code === "unauthenticated"))
      await refuse();
    throw error;
  }
}

/** Also sets `Retry-After`. */
export function tooMany(context: Context, seconds: number): Refused {
  context.header("Retry-After", String(seconds));
  return new Refused("resource_exhausted", `too many requests; try again in ${seconds} s`);
}
