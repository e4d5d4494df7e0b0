/** Signatures of a release: Ed25519, which is deterministic, and which openssl and cosign verify. */
import {
  createHash,
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
  sign,
} from "node:crypto";
import { readFile, writeFile } from "node:fs/promises";
import { UserError } from "#platform/environment/user-error.ts";

/** @throws UserError when the file exists: the owner of the old key still needs it */
export async function makeKey(file: string): Promise<{ publicFile: string }> {
  const { privateKey, publicKey } = generateKeyPairSync("ed25519");
  const publicFile = `${file}.pub`;
  try {
    const pem = privateKey.export({ type: "pkcs8", format: "pem" });
    await writeFile(file, pem, { mode: 0o600, flag: "wx" });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    throw new UserError(`${file} already exists: choose another name, or move it away.`);
  }
  await writeFile(publicFile, publicKey.export({ type: "spki", format: "pem" }));
  return { publicFile };
}

/** @throws UserError when it is not an Ed25519 key */
export async function readKey(file: string): Promise<KeyObject> {
  const pem = await readFile(file).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== "ENOENT") throw error;
    throw new UserError(
      `There is no key at ${file}: create one with \`npm run release -- --new-key ${file}\`.`,
    );
  });
  try {
    const key = createPrivateKey(pem);
    if (key.asymmetricKeyType === "ed25519") return key;
  } catch {
    // The message below says what it must be.
  }
  throw new UserError(`${file} is not a private Ed25519 key in PEM without a password.`);
}

/** An in-toto statement in the envelope that supply-chain tools read (DSSE 1.0). */
export function signStatement(statement: object, key: KeyObject): string {
  const payload = Buffer.from(JSON.stringify(statement));
  const type = "application/vnd.in-toto+json";
  const signed = Buffer.concat([Buffer.from(`DSSEv1 ${type.length} ${type} ${payload.length} `), payload]);
  const envelope = {
    payloadType: type,
    payload: payload.toString("base64"),
    signatures: [{ keyid: keyId(key), sig: signBytes(signed, key).toString("base64") }],
  };
  return `${JSON.stringify(envelope, null, 2)}\n`;
}

export const signBytes = (bytes: Buffer, key: KeyObject): Buffer => sign(null, bytes, key);

/** SHA-256 of the public key, in hex. */
function keyId(key: KeyObject): string {
  const der = createPublicKey(key).export({ type: "spki", format: "der" });
  return createHash("sha256").update(der).digest("hex");
}
