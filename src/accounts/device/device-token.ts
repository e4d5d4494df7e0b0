/**
 * The end of a device's login: RFC 8628, 3.4 and 3.5. The token is derived from the device code, whose hash is in the
 * database: a client that lost the answer asks again, on any replica, and gets the same token until the code expires. The
 * first poll after the approval makes the token's row, so that an approval that is never fetched leaves no token.
 */
import { createHmac } from "node:crypto";
import { isDuplicate } from "#platform/database/database.ts";
import type { Accounts } from "../contract/accounts.ts";
import { addToken } from "../changes/add-token.ts";
import { changeRecords } from "../changes/change-records.ts";
import { askDatabase } from "../contract/database-away.ts";
import { randomKey } from "../contract/ids.ts";
import { MAX_NAME_LENGTH } from "../contract/limits.ts";
import { completeToken, hashSecret } from "../contract/token-text.ts";
import { cliNameOf, type DeviceClient } from "./device-codes.ts";

/** The seconds that `slow_down` adds. */
const SLOW_DOWN_SECONDS = 5;
const MAX_INTERVAL_SECONDS = 60;
/** A poll that was sent in time may arrive slightly early after the previous one. */
const EARLY_MS = 1_000;
const RANDOM_LENGTH = 32;

/** Without the client's description of itself: no one vouches for it. */
const LATE_LOGIN = {
  kind: "refused.login",
  text: "a login was not approved within 15 minutes; run the login again and open the address that it prints",
  token: null,
};

export type Poll =
  | { error: "authorization_pending" | "slow_down" | "access_denied" | "expired_token" | "invalid_grant" }
  | { token: string; user: string; organization: string; organizationId: string };

/** @returns null for an unknown code. @throws Refused `unavailable` */
export async function pollDevice(
  accounts: Accounts,
  { deviceCode, address }: { deviceCode: string; address: string },
): Promise<Poll | null> {
  const hash = hashSecret(deviceCode);
  const row = await askDatabase(() =>
    accounts.db.selectFrom("device_codes").selectAll().where("code_hash", "=", hash).executeTakeFirst(),
  );
  const now = accounts.clock();
  if (!row) return null;
  if (row.expires_at <= now) {
    if (row.state === "pending") accounts.refusalReports.add({ ...LATE_LOGIN, address });
    return { error: "expired_token" };
  }
  if (row.state === "denied") return { error: "access_denied" };
  if (row.state === "approved" && row.user_id !== null && row.organization_id !== null)
    return giveToken(accounts, {
      deviceCode,
      address,
      userId: row.user_id,
      organizationId: row.organization_id,
      // Written by `startDevice`.
      client: JSON.parse(row.client) as DeviceClient,
    });
  // In either direction: a clock may have been set back.
  const sinceMs = row.polled_at === null ? Number.POSITIVE_INFINITY : Math.abs(now - row.polled_at);
  const isEarly = sinceMs < row.interval_seconds * 1000 - EARLY_MS;
  const interval = row.interval_seconds + (isEarly ? SLOW_DOWN_SECONDS : 0);
  await askDatabase(() =>
    accounts.db
      .updateTable("device_codes")
      .set({ polled_at: now, interval_seconds: Math.min(interval, MAX_INTERVAL_SECONDS) })
      .where("code_hash", "=", hash)
      .execute(),
  );
  return { error: isEarly ? "slow_down" : "authorization_pending" };
}

interface ApprovedDevice {
  deviceCode: string;
  address: string;
  userId: string;
  organizationId: string;
  client: DeviceClient;
}

async function giveToken(accounts: Accounts, device: ApprovedDevice): Promise<Poll> {
  const { userId, organizationId } = device;
  const member = await askDatabase(() =>
    accounts.db
      .selectFrom("members")
      .innerJoin("users", "users.id", "members.user_id")
      .innerJoin("organizations", "organizations.id", "members.organization_id")
      .select(["users.name as user", "organizations.name as organization"])
      .where("members.user_id", "=", userId)
      .where("members.organization_id", "=", organizationId)
      .executeTakeFirst(),
  );
  // The person who approved it has since left the organization.
  if (!member) return { error: "access_denied" };
  const token = deriveToken(device.deviceCode);
  const isThere = await ensureToken(accounts, device, { token, user: member.user });
  return isThere ? { token, organizationId, ...member } : { error: "invalid_grant" };
}

/** @returns false when the token has been revoked */
async function ensureToken(
  accounts: Accounts,
  { userId, organizationId, client, address }: ApprovedDevice,
  { token, user }: { token: string; user: string },
): Promise<boolean> {
  const find = () =>
    accounts.db
      .selectFrom("tokens")
      .select("revoked_at")
      .where("hash", "=", hashSecret(token))
      .executeTakeFirst();
  const found = await askDatabase(find);
  if (found) return found.revoked_at === null;
  const name = cliNameOf(client).slice(0, MAX_NAME_LENGTH).toWellFormed();
  const author = { name: user, id: userId, address };
  try {
    await changeRecords(accounts, author, async ({ transaction, audit }) => {
      const record = { type: "user" as const, secret: token, name, organizationId: null, userId };
      const id = await addToken(accounts, transaction, { ...record, createdBy: userId, expiresAt: null });
      const details = { type: "user", client: client.name };
      await audit({ action: "token.create", organizationId, target: name, targetId: id, details });
    });
    return true;
  } catch (error) {
    // The same client asked twice at the same time.
    if (!isDuplicate(error)) throw error;
    return (await askDatabase(find))?.revoked_at === null;
  }
}

/** 32 characters of the token alphabet that only a holder of the device code can compute. */
function deriveToken(deviceCode: string): string {
  let block = 0;
  const bytes = (count: number) => {
    block += 1;
    return createHmac("sha512", deviceCode).update(`millrace token ${block}`).digest().subarray(0, count);
  };
  return completeToken("user", randomKey(RANDOM_LENGTH, bytes));
}
