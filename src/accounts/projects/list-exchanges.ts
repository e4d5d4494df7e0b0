import type { Selectable } from "kysely";
import type { Accounts } from "../contract/accounts.ts";
import type { Caller } from "../changes/change-records.ts";
import { askDatabase } from "../contract/database-away.ts";
import { requireOrganization } from "../changes/find-organization.ts";
import { type Page, type PageInput, readPage, toPage } from "../contract/page.ts";
import { findProject } from "./projects.ts";
import type { AccountTables } from "../records/schema.ts";
import type { Claims } from "../trust/keep-exchange.ts";
import { type ClaimCheck, showText, textOf, toJson } from "../trust/match-claims.ts";

/** A CI job that showed an OIDC token whose signature was right. */
export interface Exchange {
  id: string;
  time: number;
  projectId: string;
  issuer: string;
  subject: string;
  /** As texts, cut, without invisible characters. */
  claims: Readonly<Record<string, string>>;
  /** A sentence; "": a token was given. */
  refusedBecause: string;
  differences: readonly ClaimCheck[];
  tokenId: string | null;
  address: string;
}

/** Newest first, of one project or of the organization that the call acts in. */
export async function listExchanges(
  accounts: Accounts,
  caller: Caller,
  input: PageInput & { projectId?: string; refused?: boolean },
): Promise<Page<Exchange>> {
  const { projectId = "", refused = false } = input;
  const page = readPage(input, "text");
  let query = accounts.db.selectFrom("exchanges").selectAll();
  if (projectId === "") {
    const organizationId = requireOrganization(caller, "exchange.list");
    query = query.where("organization_id", "=", organizationId);
  } else {
    const project = await findProject(accounts, caller, { projectId, action: "exchange.list" });
    query = query.where("project_id", "=", project.id);
  }
  if (refused) query = query.where("is_refused", "=", 1);
  if (page.after) query = query.where("id", "<", page.after.id);
  const rows = await askDatabase(() => query.orderBy("id", "desc").limit(page.limit).execute());
  return toPage(rows, page, { keyOf: ({ id }) => ({ sort: "", id }), itemOf: exchangeOf });
}

function exchangeOf(row: Selectable<AccountTables["exchanges"]>): Exchange {
  // Written by `keep-exchange.ts`.
  const claims = Object.entries(JSON.parse(row.claims) as Claims);
  return {
    id: row.id,
    time: row.time,
    projectId: row.project_id,
    issuer: row.issuer,
    subject: row.subject,
    claims: Object.fromEntries(
      claims.map(([name, value]) => [showText(name), showText(textOf(value) ?? toJson(value))]),
    ),
    refusedBecause: row.refused_because,
    differences: JSON.parse(row.differences) as ClaimCheck[],
    tokenId: row.token_id,
    address: row.address,
  };
}
