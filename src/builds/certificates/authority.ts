/** The builders' authority, stored in the records: made once for all servers, its key sealed with the server's own. */
import { createSeal, type SealedColumn } from "#platform/seal/seal.ts";
import { type Authority, makeAuthority, openAuthority } from "./certificates.ts";
import type { BuildDatabase } from "../tables/schema.ts";

export const sealedAuthority: SealedColumn = {
  what: "the key of the builders' authority",
  purpose: "millrace builders' authority",
  table: "build_authority",
  column: "sealed_key",
  keys: ["id"],
  belongs: [],
};

interface AuthorityOptions {
  database: Pick<BuildDatabase, "db">;
  secretKey: Uint8Array;
  clock: () => number;
}

/** @throws Error when its key was sealed with a different key */
export async function openBuildAuthority({
  database,
  secretKey,
  clock,
}: AuthorityOptions): Promise<Authority> {
  const { db } = database;
  const seal = createSeal(secretKey, sealedAuthority);
  const find = () => db.selectFrom("build_authority").selectAll().where("id", "=", 1).executeTakeFirst();
  let row = await find();
  if (!row) {
    const { certificate, key } = await makeAuthority(new Date(clock()));
    await db
      .insertInto("build_authority")
      .values({ id: 1, certificate, sealed_key: seal.seal(key) })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
    // Another server may have been first.
    row = await find();
  }
  if (!row)
    throw new Error("The builders' authority was removed while it was being created. Restart the server.");
  const key = seal.open(row.sealed_key);
  if (key === null)
    throw new Error(
      "The key of the builders' authority was encrypted with a different secret key. Restore MILLRACE_SECRET_KEY, or secret.key in DATA_DIR. If that key is lost, run npm start -- forget-sealed: all builders get new certificates.",
    );
  return openAuthority({ certificate: row.certificate, key });
}
