/**
 * How a program without a browser gets a person's token: RFC 8628.
 *
 *   CLI      start ─► device code (secret), user code ──────────── poll ─► pending … ─► token
 *   person               opens /device, compares the code, approves ──────────┘
 */
import { isDuplicate } from "#platform/database/database.ts";
import type { Accounts } from "../contract/accounts.ts";
import type { UserActor } from "../contract/actor.ts";
import { changeRecords } from "../changes/change-records.ts";
import { askDatabase } from "../contract/database-away.ts";
import { randomKey } from "../contract/ids.ts";
import { MAX_ADDRESS_LENGTH } from "../contract/limits.ts";
import { Refused } from "../contract/refused.ts";
import { hashSecret } from "../contract/token-text.ts";
import { newUserCode } from "./user-code.ts";
import { widestNetwork } from "./waiting-codes.ts";

/** `token.device-code` */
export const DEVICE_CODE_LIFETIME_MS = 15 * 60_000;
export const POLL_INTERVAL_SECONDS = 5;
const DEVICE_CODE_LENGTH = 43;
const MAX_CODE_ATTEMPTS = 5;

/** A client's description of itself, cleaned; no one vouches for it. */
export interface DeviceClient {
  /** `millrace 1.4.0` */
  name: string;
  /** `ada-mbp` */
  machine: string;
  /** `macOS 26.1` */
  system: string;
}

export interface StartedDevice {
  deviceCode: string;
  /** Without the dash. */
  userCode: string;
}

/** @throws Refused `unavailable` */
export async function startDevice(
  accounts: Accounts,
  { client, address }: { client: DeviceClient; address: string },
): Promise<StartedDevice> {
  const { db, randomBytes } = accounts;
  const now = accounts.clock();
  return askDatabase(async () => {
    const deviceCode = randomKey(DEVICE_CODE_LENGTH, randomBytes);
    for (let attempt = 1; ; attempt += 1) {
      const userCode = newUserCode();
      const row = {
        code_hash: hashSecret(deviceCode),
        user_code: userCode,
        state: "pending" as const,
        client: JSON.stringify(client),
        address: address.slice(0, MAX_ADDRESS_LENGTH),
        network: widestNetwork(address),
        user_id: null,
        organization_id: null,
        created_at: now,
        expires_at: now + DEVICE_CODE_LIFETIME_MS,
        polled_at: null,
        interval_seconds: POLL_INTERVAL_SECONDS,
      };
      try {
        await db.insertInto("device_codes").values(row).execute();
        return { deviceCode, userCode };
      } catch (error) {
        if (!isDuplicate(error) || attempt === MAX_CODE_ATTEMPTS) throw error;
      }
    }
  });
}

export interface DeviceRequest {
  userCode: string;
  client: DeviceClient;
  /** The client's address. */
  address: string;
  createdAt: number;
  expiresAt: number;
}

/** A login that waits for a person's approval. @throws Refused `not_found`, `failed_precondition`, `unavailable` */
export async function findDevice(accounts: Accounts, userCode: string): Promise<DeviceRequest> {
  const row = await askDatabase(() =>
    accounts.db.selectFrom("device_codes").selectAll().where("user_code", "=", userCode).executeTakeFirst(),
  );
  if (!row || row.expires_at <= accounts.clock()) throw unknownCode();
  if (row.state !== "pending") throw new Refused("failed_precondition", `this code was already ${row.state}`);
  return {
    userCode,
    // Written by `startDevice`.
    client: JSON.parse(row.client) as DeviceClient,
    address: row.address,
    createdAt: row.created_at,
    expiresAt: row.expires_at,
  };
}

export interface DeviceDecision {
  userCode: string;
  /** The id of the organization that the client acts in; null denies. */
  organizationId: string | null;
  address: string;
}

/** One of several simultaneous decisions counts. @throws Refused as `findDevice` */
export async function decideDevice(
  accounts: Accounts,
  actor: UserActor,
  { userCode, organizationId, address }: DeviceDecision,
): Promise<void> {
  const { client } = await findDevice(accounts, userCode);
  const author = { name: actor.name, id: actor.userId, address };
  await changeRecords(accounts, author, async ({ transaction, audit }) => {
    const changed = await transaction
      .updateTable("device_codes")
      .set({
        state: organizationId === null ? "denied" : "approved",
        user_id: actor.userId,
        organization_id: organizationId,
      })
      .where("user_code", "=", userCode)
      .where("state", "=", "pending")
      .where("expires_at", ">", accounts.clock())
      .returning("user_code")
      .execute();
    if (changed.length === 0) throw new Refused("failed_precondition", "this code was already used");
    await audit({
      action: organizationId === null ? "device.deny" : "device.approve",
      organizationId: organizationId ?? actor.organizationId,
      target: cliNameOf(client),
      targetId: userCode,
      details: { client: client.name, system: client.system },
    });
  });
}

const unknownCode = () =>
  new Refused(
    "not_found",
    "no login is waiting for this code; it may have expired, so start the login again",
    {
      field: "code",
    },
  );

/** The token's name in lists. */
export function cliNameOf({ machine }: DeviceClient): string {
  return `CLI on ${machine || "a machine"}`;
}
