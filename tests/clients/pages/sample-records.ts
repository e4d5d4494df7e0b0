/** The records of the documentation's samples: acme, ada, the project web, their ids, and how full acme's caches are. */
import { crc32 } from "node:zlib";
import { namespaceOf } from "../../fixtures/cache-records.ts";
import { type Records, type Row, replaceRecords, secretHash } from "../../fixtures/replace-records.ts";

const DAY_MS = 86_400_000;
const DIGITS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

/** With the checksum that the server expects. */
function sampleToken(prefix: string, letter: string): string {
  const body = prefix + letter.repeat(32);
  let rest = crc32(body);
  let checksum = "";
  for (let place = 0; place < 6; place += 1) {
    checksum = DIGITS.charAt(rest % 62) + checksum;
    rest = Math.floor(rest / 62);
  }
  return body + checksum;
}

/** Secrets of this test's own server. */
export const SAMPLE = {
  /** ada's token; she is an owner. */
  userToken: sampleToken("mr_user_", "A"),
  /** A token of the organization acme. */
  organizationToken: sampleToken("mr_org_", "B"),
  /** The session of ada's browser. */
  cookie: "sample-browser-of-ada-0123456789abcdefghij",
};

/**
 * Puts the sample's records into a running server's database, in place of all existing records.
 * @param projects ids of further projects, by their names
 */
export function resetSampleRecords(databaseFile: string, projects: { [name: string]: string } = {}): void {
  replaceRecords(databaseFile, sampleRecords(Date.now(), projects));
}

function sampleRecords(now: number, projects: { [name: string]: string }): Records {
  const created_at = now - 20 * DAY_MS;
  const acme = { organization_id: "org_9f2kd71xqe" };
  const labs = { organization_id: "org_4t8bz0mw2s" };
  const user = { mail_verified_at: null, created_at, last_seen_at: now };
  const project = { ...acme, cache_size_bytes: 50_000_000_000, retention_days: 14, created_at, revision: 1 };
  const token = { read_only: 0, created_at, last_used_at: now - DAY_MS, revoked_at: null, user_id: null };
  const program = { ...token, ...acme, created_by: "usr_ada0000000", project_id: null };
  return {
    organizations: [
      { id: acme.organization_id, name: "acme", is_first: 1, created_at },
      { id: labs.organization_id, name: "acme-labs", is_first: null, created_at },
    ],
    users: [
      { id: "usr_ada0000000", name: "ada", mail: "ada@acme.example", ...user },
      { id: "usr_grace00000", name: "grace", mail: null, ...user },
    ],
    members: [
      { ...acme, user_id: "usr_ada0000000", role: "owner", created_at },
      { ...labs, user_id: "usr_ada0000000", role: "member", created_at },
      { ...labs, user_id: "usr_grace00000", role: "owner", created_at },
      { ...acme, user_id: "usr_grace00000", role: "member", created_at },
    ],
    projects: Object.entries({ web: "prj_7q4hx2n9ds", ...projects }).map(([name, id]) => ({
      id,
      name,
      builder_size: 4,
      ...project,
    })),
    tokens: [
      {
        ...token,
        id: "tok_user000000",
        type: "user",
        name: "CLI on ada-mbp",
        hash: secretHash(SAMPLE.userToken),
        user_id: "usr_ada0000000",
        organization_id: null,
        created_by: "usr_ada0000000",
        expires_at: null,
      },
      {
        ...program,
        id: "tok_org0000000",
        type: "org",
        name: "docs",
        hash: secretHash(SAMPLE.organizationToken),
        expires_at: null,
      },
      {
        ...program,
        id: "tok_2m8xr5kq1v",
        type: "project",
        name: "jenkins",
        hash: "jenkins",
        created_at: created_at + DAY_MS,
        project_id: "prj_7q4hx2n9ds",
        expires_at: null,
      },
      {
        ...program,
        id: "tok_c6y1h9dw3n",
        read_only: 1,
        type: "org",
        name: "cache",
        hash: "cache",
        expires_at: now + 90 * DAY_MS,
      },
    ],
    ...cacheRecords(acme.organization_id, created_at, now),
    sign_ins: [
      {
        id: "sgn_ada0000000",
        user_id: "usr_ada0000000",
        key_hash: secretHash(SAMPLE.cookie),
        browser: "Chromium",
        address: "127.0.0.1",
        created_at,
        last_used_at: now,
        expires_at: now + DAY_MS,
      },
    ],
  };
}

/** Namespaces without their entries: the pages show how full they are. */
function cacheRecords(organization_id: string, created_at: number, now: number): Records {
  const of = (tool: string) => ({ namespace_id: namespaceOf(organization_id, tool) });
  const namespace = (tool: string, entries: number, size_bytes: number): Row => ({
    id: of(tool).namespace_id,
    organization_id,
    tool,
    overlay: "",
    entries,
    size_bytes,
    created_at,
    reset_before: null,
  });
  const count = { hour: Math.floor(now / 3_600_000), read_bytes: 0, written_bytes: 0, last_at: now };
  return {
    cache_namespaces: [namespace("turbo", 418, 1.3e9), namespace("gradle", 9_130, 2.1e9)],
    cache_counts: [
      { ...of("turbo"), ...count, hits: 377, misses: 41 },
      { ...of("gradle"), ...count, hits: 5_200, misses: 4_800 },
    ],
  };
}
