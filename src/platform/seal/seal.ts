/** Encrypts texts in the records under the server's secret key: with the database alone, no one can read them. */
import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from "node:crypto";

const CIPHER = "aes-256-gcm";
const IV_BYTES = 12;
const TAG_BYTES = 16;

/** A column of sealed texts. The server has a list of all such columns: without the key their texts are lost. */
export interface SealedColumn {
  /** Name for messages and pages: "passwords for other registries". */
  what: string;
  /** A text sealed for one purpose does not open for another. */
  purpose: string;
  table: string;
  column: string;
  /** Columns that identify a row. */
  keys: readonly string[];
  /** Columns that the text is bound to: it opens in no other row. */
  belongs: readonly string[];
}

export interface Seal {
  /** @param belongs the values of the column's `belongs`, in order */
  seal(text: string, ...belongs: readonly string[]): string;
  /** @returns null with the wrong key, or if the text was changed */
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
