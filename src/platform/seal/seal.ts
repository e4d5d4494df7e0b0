/** What the records keep encrypted under the server's secret key: whoever reads the database alone cannot open it. */
import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from "node:crypto";

const CIPHER = "aes-256-gcm";
const IV_BYTES = 12;
const TAG_BYTES = 16;

/** A column of sealed texts. The server has a list of all of them: without the key they are lost. */
export interface SealedColumn {
  /** In the words of messages and pages: "passwords for other registries". */
  what: string;
  /** What is sealed for one purpose opens for no other. */
  purpose: string;
  table: string;
  column: string;
  /** Columns that name a row. */
  keys: readonly string[];
  /** Columns to which the text belongs: it opens in no other row. */
  belongs: readonly string[];
}

export interface Seal {
  /** @param belongs the values of the column's `belongs`, in their order */
  seal(text: string, ...belongs: readonly string[]): string;
  /** @returns null with another key, and for what was changed */
  open(sealed: string, ...belongs: readonly string[]): string | null;
}

export function createSeal(secretKey: Uint8Array, { purpose }: Pick<SealedColumn, "purpose">): Seal {
  const key = Buffer.from(hkdfSync("sha256", secretKey, "", purpose, 32));
  const ownerOf = (belongs: readonly string[]) => Buffer.from(belongs.join(" "));
  return {
    seal(text, ...belongs) {
      const iv = randomBytes(IV_BYTES);
      const cipher = createCipheriv(CIPHER, key, iv).setAAD(ownerOf(belongs));
      const sealed = Buffer.concat([cipher.update(text, "utf8"), cipher.final()]);
      return Buffer.concat([iv, sealed, cipher.getAuthTag()]).toString("base64url");
    },
    open(sealed, ...belongs) {
      const bytes = Buffer.from(sealed, "base64url");
      try {
        const decipher = createDecipheriv(CIPHER, key, bytes.subarray(0, IV_BYTES));
        decipher.setAAD(ownerOf(belongs)).setAuthTag(bytes.subarray(-TAG_BYTES));
        const opened = decipher.update(bytes.subarray(IV_BYTES, -TAG_BYTES), undefined, "utf8");
        return opened + decipher.final("utf8");
      } catch {
        return null;
      }
    },
  };
}
