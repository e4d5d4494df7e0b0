/** The authority of builders in the records: made once for all servers, its key sealed with the server's own. */
import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from "node:crypto";
import { type Authority, makeAuthority, openAuthority } from "./certificates.ts";
import type { BuildDatabase } from "./schema.ts";

const CIPHER = "aes-256-gcm";
const IV_BYTES = 12;
const TAG_BYTES = 16;

interface AuthorityOptions {
  database: Pick<BuildDatabase, "db">;
  secretKey: Uint8Array;
  clock: () => number;
}

/** @throws Error when it was sealed with another key */
export async function openBuildAuthority({
  database,
  secretKey,
  clock,
}: AuthorityOptions): Promise<Authority> {
  const { db } = database;
  const find = () => db.selectFrom("build_authority").selectAll().where("id", "=", 1).executeTakeFirst();
  let row = await find();
  if (!row) {
    const { certificate, key } = await makeAuthority(new Date(clock()));
    await db
      .insertInto("build_authority")
      .values({ id: 1, certificate, sealed_key: seal(secretKey, key) })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
    // Another server may have been first.
    row = await find();
  }
  if (!row) throw new Error("The builders' authority was removed while it was made. Start the server again.");
  return openAuthority({ certificate: row.certificate, key: open(secretKey, row.sealed_key) }, clock);
}

const keyOf = (secretKey: Uint8Array) =>
  Buffer.from(hkdfSync("sha256", secretKey, "", "millrace builders' authority", 32));

function seal(secretKey: Uint8Array, text: string): string {
  const iv = randomBytes(IV_BYTES);
  const cipher = createCipheriv(CIPHER, keyOf(secretKey), iv);
  const sealed = Buffer.concat([cipher.update(text, "utf8"), cipher.final()]);
  return Buffer.concat([iv, sealed, cipher.getAuthTag()]).toString("base64url");
}

function open(secretKey: Uint8Array, text: string): string {
  const bytes = Buffer.from(text, "base64url");
  try {
    const decipher = createDecipheriv(CIPHER, keyOf(secretKey), bytes.subarray(0, IV_BYTES));
    decipher.setAuthTag(bytes.subarray(-TAG_BYTES));
    return decipher.update(bytes.subarray(IV_BYTES, -TAG_BYTES), undefined, "utf8") + decipher.final("utf8");
  } catch (error) {
    throw new Error(
      "The key of the builders' authority was encrypted with another secret key. Put MILLRACE_SECRET_KEY, or secret.key in DATA_DIR, back; or delete the row of build_authority, and all builders get new certificates.",
      { cause: error },
    );
  }
}
