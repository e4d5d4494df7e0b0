/**
 * Reads the audit log, newest first.
 *
 * A filter searches the lines a few at a time, so that with SQLite other requests get their turn, and a limited number of
 * them in one call: the matches until then are a page, which may be short, and the next page continues there.
 */
import { setImmediate as nextTurn } from "node:timers/promises";
import { type Selectable, sql } from "kysely";
import type { Accounts } from "../contract/accounts.ts";
import type { Caller } from "../changes/change-records.ts";
import { invalid } from "../contract/check-input.ts";
import { askDatabase } from "../contract/database-away.ts";
import { findOrganization } from "../changes/find-organization.ts";
import { quoteReference, timedIdAt } from "../contract/ids.ts";
import {
  MAX_CLAIM_LENGTH,
  MAX_LINES_AT_ONCE,
  MAX_LINES_PER_CALL,
  MAX_QUERY_LENGTH,
  MAX_QUERY_WORDS,
} from "../contract/limits.ts";
import type { OrganizationInput } from "./organizations.ts";
import { type Page, type PageInput, readPage, toPage } from "../contract/page.ts";
import type { AccountTables } from "../records/schema.ts";

export interface AuditEvent {
  id: string;
  time: number;
  action: string;
  actor: string;
  actorId: string;
  target: string;
  targetId: string;
  address: string;
  details: Readonly<Record<string, string>>;
}

/** Empty texts filter nothing. Times are milliseconds since 1970. */
export interface AuditFilter {
  action?: string;
  actorId?: string;
  address?: string;
  /** Words that a line must all have, in upper or lower case. */
  query?: string;
  from?: number | undefined;
  to?: number | undefined;
}

/** How many lines one statement and one call search. */
export interface SearchSteps {
  atOnce: number;
  perCall: number;
}

type Row = Selectable<AccountTables["audit_events"]>;

export async function listAuditEvents(
  accounts: Accounts,
  caller: Caller,
  input: OrganizationInput & PageInput & AuditFilter,
  steps: SearchSteps = { atOnce: MAX_LINES_AT_ONCE, perCall: MAX_LINES_PER_CALL },
): Promise<Page<AuditEvent>> {
  const page = readPage(input, "text");
  const filter = readFilter(input);
  const { id: organizationId } = await findOrganization(accounts, caller, {
    reference: input.organization,
    action: "audit.list",
  });
  const before = [page.after?.id, input.to !== undefined && timedIdAt(input.to)].filter(isText).toSorted()[0];
  const span = { organizationId, since: timedIdAt(input.from ?? 0), before };
  const { rows, next } = await askDatabase(() =>
    filter === null
      ? selectSpan(accounts, span)
          .selectAll()
          .limit(page.limit)
          .execute()
          .then((all) => ({ rows: all, next: null }))
      : search(accounts, span, { filter, limit: page.limit, ...steps }),
  );
  return toPage(rows, page, {
    keyOf: ({ id }) => ({ sort: "", id }),
    itemOf: eventOf,
    goOn: next === null ? null : { sort: "", id: next },
  });
}

interface Span {
  organizationId: string;
  /** Ids from this one on. */
  since: string;
  /** Ids below this one. */
  before: string | undefined;
}

interface Filter {
  equal: Partial<Pick<Row, "action" | "actor_id" | "address">>;
  /** Patterns for LIKE. */
  patterns: readonly string[];
}

function selectSpan({ db }: Accounts, { organizationId, since, before }: Span) {
  const query = db
    .selectFrom("audit_events")
    .where("organization_id", "=", organizationId)
    .where("id", ">=", since)
    .orderBy("id", "desc");
  return before === undefined ? query : query.where("id", "<", before);
}

/** @returns the matches, and the id at which to continue; null: everything was searched */
async function search(
  accounts: Accounts,
  whole: Span,
  { filter, limit, atOnce, perCall }: { filter: Filter; limit: number } & SearchSteps,
): Promise<{ rows: Row[]; next: string | null }> {
  const rows: Row[] = [];
  let span = whole;
  for (let seen = 0; seen < perCall; seen += atOnce) {
    const last = await selectSpan(accounts, span)
      .select("id")
      .offset(atOnce - 1)
      .limit(1)
      .executeTakeFirst();
    let query = selectSpan(accounts, last ? { ...span, since: last.id } : span).selectAll();
    query = query.where((row) => row.and(filter.equal));
    for (const pattern of filter.patterns)
      query = query.where(sql<boolean>`words like ${pattern} escape '\\'`);
    rows.push(...(await query.limit(limit - rows.length).execute()));
    if (!last || rows.length === limit) return { rows, next: null };
    span = { ...span, before: last.id };
    await nextTurn();
  }
  return { rows, next: span.before ?? null };
}

/** @returns null when every line is wanted */
function readFilter({ action, actorId, address, query = "", from = 0, to }: AuditFilter): Filter | null {
  if (to !== undefined && from > to) throw invalid("from", "from must be before to");
  if (query.length > MAX_QUERY_LENGTH)
    throw invalid("query", `query has ${query.length} characters; ${MAX_QUERY_LENGTH} are allowed`);
  const words = plain(query).normalize("NFC").toLowerCase().split(/\s+/).filter(isText);
  if (words.length > MAX_QUERY_WORDS)
    throw invalid("query", `query has ${words.length} words; ${MAX_QUERY_WORDS} are allowed`);
  const equal = {
    ...(action && { action: quoteReference(action) }),
    ...(actorId && { actor_id: plain(actorId) }),
    ...(address && { address: plain(address) }),
  };
  if (words.length === 0 && Object.keys(equal).length === 0) return null;
  return { equal, patterns: words.map((word) => `%${word.replaceAll(/[\\%_]/g, "\\$&")}%`) };
}

/** PostgreSQL rejects texts with a zero byte or half of a surrogate pair. The longest ids of actors are issuers. */
const plain = (text: string) => text.slice(0, MAX_CLAIM_LENGTH).replaceAll("\0", " ").toWellFormed();

const isText = (text: string | undefined | false): text is string => typeof text === "string" && text !== "";

const eventOf = (row: Row): AuditEvent => ({
  id: row.id,
  time: row.time,
  action: row.action,
  actor: row.actor,
  actorId: row.actor_id,
  target: row.target,
  targetId: row.target_id,
  address: row.address,
  // Written by `audit.ts`.
  details: JSON.parse(row.details) as Record<string, string>,
});
