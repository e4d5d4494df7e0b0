/** Passwords for other registries, as they are kept: whoever reads the database alone cannot open them. */
import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from "node:crypto";

const CIPHER = "aes-256-gcm";
const IV_BYTES = 12;
const TAG_BYTES = 16;

export interface PasswordSeal {
  /** @param belongs to whom and for what: what is sealed for one opens for no other */
  seal(password: string, belongs: string): string;
  /** @returns null with another server's key */
  open(sealed: string, belongs: string): string | null;
}

export function createPasswordSeal(secretKey: Uint8Array): PasswordSeal {
  const key = Buffer.from(hkdfSync("sha256", secretKey, "", "millrace mirror credentials", 32));
  return {
    seal(password, belongs) {
      const iv = randomBytes(IV_BYTES);
      const cipher = createCipheriv(CIPHER, key, iv).setAAD(Buffer.from(belongs));
      const sealed = Buffer.concat([cipher.update(password, "utf8"), cipher.final()]);
      return Buffer.concat([iv, sealed, cipher.getAuthTag()]).toString("base64url");
    },
    open(text, belongs) {
      const bytes = Buffer.from(text, "base64url");
      try {
        const decipher = createDecipheriv(CIPHER, key, bytes.subarray(0, IV_BYTES));
        decipher.setAAD(Buffer.from(belongs)).setAuthTag(bytes.subarray(-TAG_BYTES));
        const opened = decipher.update(bytes.subarray(IV_BYTES, -TAG_BYTES), undefined, "utf8");
        return opened + decipher.final("utf8");
      } catch {
        return null;
      }
    },
  };
}
