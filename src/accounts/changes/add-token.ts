import type { Accounts } from "../contract/accounts.ts";
import { newId } from "../contract/ids.ts";
import type { AccountTransaction, CacheRight, JobClaims, TokenType } from "../records/schema.ts";
import { hashReader, hashSecret } from "../contract/token-text.ts";

export interface TokenRecord {
  type: TokenType;
  /** The token itself; only its hash is stored. */
  secret: string;
  name: string;
  /** Null only for type `user`. */
  organizationId: string | null;
  /** Only for type `user`. */
  userId?: string | null;
  /** For types `project` and `job`. */
  projectId?: string | null;
  readOnly?: boolean;
  /** For type `job`. */
  cache?: CacheRight | null;
  claims?: JobClaims;
  /** A person's id, or for a job the subject that its issuer vouched for. Null only for the operator's own token. */
  createdBy: string | null;
  /** Milliseconds since 1970, null: never. */
  expiresAt: number | null;
}

/** Stores a token. The caller writes the audit log's line. @returns its id */
export async function addToken(
  { clock, randomBytes }: Pick<Accounts, "clock" | "randomBytes">,
  transaction: AccountTransaction,
  token: TokenRecord,
): Promise<string> {
  const id = newId("tok", randomBytes);
  await transaction
    .insertInto("tokens")
    .values({
      id,
      type: token.type,
      hash: token.type === "project" && token.readOnly ? hashReader(token.secret) : hashSecret(token.secret),
      name: token.name,
      organization_id: token.organizationId,
      user_id: token.userId ?? null,
      project_id: token.projectId ?? null,
      read_only: token.readOnly ? 1 : 0,
      cache: token.cache ?? null,
      job_claims: token.claims ? JSON.stringify(token.claims) : null,
      created_by: token.createdBy,
      created_at: clock(),
      last_used_at: null,
      expires_at: token.expiresAt,
      revoked_at: null,
    })
    .execute();
  return id;
}
