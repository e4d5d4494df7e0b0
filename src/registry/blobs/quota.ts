/** How many bytes an organization has, each blob counted once, and how many it may have. */
import { sql } from "kysely";
import type { Log } from "#platform/log/log.ts";
import type { Quota, Receiving } from "../contract/quota.ts";
import { COUNTED_MS, MAX_COUNTED, NEAR_COUNTED_MS, RECOUNT_MS, WARNED_SHARE } from "../contract/limits.ts";
import type { Repository } from "../contract/registry.ts";
import { RegistryError } from "../contract/registry-error.ts";
import type { RegistryDatabase } from "../contract/schema.ts";

interface Counted {
  bytes: number;
  at: number;
  /** Bytes that were stored since then, each time they arrived. */
  added: number;
  /** A count in progress. */
  counting: Promise<unknown> | null;
}

interface QuotaOptions {
  database: RegistryDatabase;
  log: Log;
  quotaBytes: number;
  /** For content that is pulled through and shared by all (the organization ""): later pulls make room. */
  mirrorBytes?: number;
  clock: () => number;
}

/** Bytes of organizations, counted once a minute. */
function createCounts({ database, clock, log }: QuotaOptions) {
  const remembered = new Map<string, Counted>();

  function count(organizationId: string, known: Counted): Promise<unknown> {
    const { added: before } = known;
    known.counting ??= countBytes(database, organizationId)
      // The count may or may not include bytes that were added meanwhile.
      .then((counted) => {
        const added = known.added - before;
        Object.assign(known, { bytes: counted + added, at: clock(), added });
      })
      .finally(() => void (known.counting = null));
    return known.counting;
  }

  async function firstCount(organizationId: string): Promise<Counted> {
    const known: Counted = { bytes: 0, at: 0, added: 0, counting: null };
    remembered.set(organizationId, known);
    // A Map iterates in insertion order.
    if (remembered.size > MAX_COUNTED) remembered.delete(remembered.keys().next().value!);
    try {
      await count(organizationId, known);
    } catch (error) {
      remembered.delete(organizationId);
      throw error;
    }
    return known;
  }

  async function find(organizationId: string): Promise<Counted> {
    const known = remembered.get(organizationId);
    if (!known) return firstCount(organizationId);
    // The first count.
    if (known.at === 0 && known.counting) await known.counting;
    else if (Math.abs(clock() - known.at) > COUNTED_MS)
      // No caller waits for it.
      count(organizationId, known).catch((error: unknown) =>
        log.warn("Could not count an organization's bytes. Retrying.", { error }),
      );
    return known;
  }

  return { remembered, count, find };
}

export function createQuota(options: QuotaOptions): Quota {
  const { clock, quotaBytes, mirrorBytes = Number.POSITIVE_INFINITY } = options;
  const { remembered, count, find } = createCounts(options);
  const coming = new Map<string, number>();

  async function room(organizationId: string, wanted = 1): Promise<number> {
    if (organizationId === "") {
      if (wanted > mirrorBytes) throw tooLargeForMirrors(mirrorBytes);
      return mirrorBytes;
    }
    const known = await find(organizationId);
    // Someone may have deleted images to make room, and added bytes may already have been in another repository.
    const age = Math.abs(clock() - known.at);
    const isExact = known.added === 0 && age < RECOUNT_MS;
    const next = known.bytes + wanted;
    const isOld = age >= NEAR_COUNTED_MS && next >= WARNED_SHARE * quotaBytes;
    if (isOld || (next > quotaBytes && !isExact)) await count(organizationId, known);
    if (known.bytes + wanted > quotaBytes) throw tooMuch(known.bytes, wanted, quotaBytes);
    return quotaBytes - known.bytes;
  }

  function receive(organizationId: string): Receiving {
    let own = 0;
    const add = (bytes: number): number => {
      own += bytes;
      const sum = (coming.get(organizationId) ?? 0) + bytes;
      if (sum > 0) coming.set(organizationId, sum);
      else coming.delete(organizationId);
      return sum;
    };
    return {
      count(bytes) {
        const sum = add(bytes);
        const isMirror = organizationId === "";
        const used = isMirror ? 0 : (remembered.get(organizationId)?.bytes ?? 0);
        if (used + sum <= (isMirror ? mirrorBytes : quotaBytes)) return undefined;
        return room(organizationId, sum).then(() => {});
      },
      end: () => void add(-own),
    };
  }

  return {
    bytes: quotaBytes,
    used: async (organizationId) => (await find(organizationId)).bytes,
    room,
    receive,
    async warning(organizationId) {
      if (organizationId === "") return "";
      const { bytes } = await find(organizationId);
      return bytes < WARNED_SHARE * quotaBytes ? "" : takesOf(bytes, quotaBytes) + ADVICE;
    },
    add(organizationId, bytes) {
      const known = remembered.get(organizationId);
      if (!known) return;
      known.bytes += bytes;
      known.added += Math.max(0, bytes);
    },
  };
}

const takesOf = (used: number, quotaBytes: number): string =>
  `the organization's images use ${inUnits(used)} of their quota of ${inUnits(quotaBytes)}`;
const ADVICE =
  "; delete images that no one needs, or ask the operator of the server to raise MILLRACE_IMAGE_QUOTA";

function tooMuch(used: number, wanted: number, quotaBytes: number): RegistryError {
  const more = wanted > 1 ? ` and this needs ${inUnits(wanted)}` : "";
  return new RegistryError("DENIED", takesOf(used, quotaBytes) + more + ADVICE, {
    detail: { used, quota: quotaBytes },
  });
}

const tooLargeForMirrors = (mirrorBytes: number) =>
  new RegistryError(
    "DENIED",
    `images being pulled from other registries need more than the ${inUnits(mirrorBytes)} allowed for all of them; ` +
      "pull again later, or ask the operator of the server to raise MILLRACE_MIRROR_QUOTA",
  );

const UNITS = ["bytes", "kB", "MB", "GB", "TB"] as const;

/** `1.5 GB` */
function inUnits(bytes: number): string {
  const at = Math.min(UNITS.length - 1, Math.max(0, Math.floor(Math.log10(Math.max(1, bytes)) / 3)));
  const value = bytes / 1000 ** at;
  return `${at === 0 || value >= 100 ? Math.round(value) : Number(value.toFixed(1))} ${UNITS[at]}`;
}

async function countBytes({ db }: RegistryDatabase, organizationId: string): Promise<number> {
  const { rows } = await sql<{ bytes: number | null }>`
    with mine as (select id from registry_repositories where organization_id = ${organizationId} and mirror = '')
    select
      coalesce((select sum(size) from (
        select digest, size from registry_blobs where repository_id in (select id from mine)
        union
        select digest, size from registry_manifests where repository_id in (select id from mine)
      ) as named), 0)
      + coalesce((select sum(received_bytes) from registry_uploads where repository_id in (select id from mine)), 0)
      as bytes`.execute(db);
  return rows[0]?.bytes ?? 0;
}

/** Whose quota a repository's bytes count in; "": the quota of all pulled-through content, whichever credentials opened it. */
export const payerOf = ({ projectId, organizationId }: Repository): string =>
  projectId === null ? "" : organizationId;
