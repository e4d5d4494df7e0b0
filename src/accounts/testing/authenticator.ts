/** A passkey device in software, for tests: WebAuthn Level 3, ES256, no attestation. */
import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from "node:crypto";

const PRESENT = 0x01;
const VERIFIED = 0x04;
const HAS_CREDENTIAL = 0x40;
const ES256 = -7;

export interface TestAuthenticator {
  /** Answers `navigator.credentials.create`. */
  create: (options: object, change?: Partial<Situation>) => object;
  /** Answers `navigator.credentials.get`. */
  get: (options: object, change?: Partial<Situation>) => object;
  counter: number;
  credentialId: string;
}

interface Situation {
  origin: string;
  rpId: string;
  /** Whether the device verifies the person; default: as the device does. */
  isVerified?: boolean;
  /** For a page in another site's frame. */
  frame?: { crossOrigin: boolean; topOrigin?: string };
}

export function createTestAuthenticator(situation: Situation): TestAuthenticator {
  const { publicKey, privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const id = randomBytes(16);
  const device: TestAuthenticator = {
    counter: 1,
    credentialId: id.toString("base64url"),
    create(options, change) {
      const { origin, rpId, isVerified = true, frame } = { ...situation, ...change };
      const credential = Buffer.concat([
        Buffer.alloc(16),
        Buffer.from([0, id.length]),
        id,
        coseOf(publicKey),
      ]);
      const authData = authenticatorData(
        rpId,
        { flags: PRESENT | (isVerified ? VERIFIED : 0) | HAS_CREDENTIAL, counter: 0 },
        credential,
      );
      const attestation = cbor(
        new Map<string, unknown>([
          ["fmt", "none"],
          ["attStmt", new Map()],
          ["authData", authData],
        ]),
      );
      return {
        ...named(id),
        response: {
          clientDataJSON: clientData("webauthn.create", options, { origin, frame }).toString("base64url"),
          attestationObject: attestation.toString("base64url"),
          transports: ["internal"],
        },
      };
    },
    get(options, change) {
      const { origin, rpId, isVerified = true, frame } = { ...situation, ...change };
      const data = clientData("webauthn.get", options, { origin, frame });
      const authData = authenticatorData(rpId, {
        flags: PRESENT | (isVerified ? VERIFIED : 0),
        counter: device.counter,
      });
      const signed = Buffer.concat([authData, createHash("sha256").update(data).digest()]);
      return {
        ...named(id),
        response: {
          clientDataJSON: data.toString("base64url"),
          authenticatorData: authData.toString("base64url"),
          signature: sign("sha256", signed, privateKey).toString("base64url"),
        },
      };
    },
  };
  return device;
}

function named(id: Buffer): object {
  const text = id.toString("base64url");
  return { id: text, rawId: text, type: "public-key", clientExtensionResults: {} };
}

function clientData(
  type: string,
  options: object,
  { origin, frame }: Pick<Situation, "origin" | "frame">,
): Buffer {
  // The server's options have a challenge.
  const { challenge } = options as { challenge: string };
  return Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false, ...frame }));
}

function authenticatorData(
  rpId: string,
  { flags, counter }: { flags: number; counter: number },
  rest = Buffer.alloc(0),
) {
  const head = Buffer.alloc(5);
  head.writeUInt8(flags, 0);
  head.writeUInt32BE(counter, 1);
  return Buffer.concat([createHash("sha256").update(rpId).digest(), head, rest]);
}

function coseOf(key: KeyObject): Buffer {
  const { x = "", y = "" } = key.export({ format: "jwk" });
  const bytes = (text: string) => Buffer.from(text, "base64url");
  return cbor(
    new Map<number, unknown>([
      [1, 2],
      [3, ES256],
      [-1, 1],
      [-2, bytes(x)],
      [-3, bytes(y)],
    ]),
  );
}

/** The part of RFC 8949 that is needed above. */
function cbor(value: unknown): Buffer {
  const head = (major: number, count: number) => {
    if (count < 24) return Buffer.from([(major << 5) | count]);
    return Buffer.from(
      count < 256 ? [(major << 5) | 24, count] : [(major << 5) | 25, count >> 8, count & 255],
    );
  };
  if (typeof value === "number") return value >= 0 ? head(0, value) : head(1, -1 - value);
  if (typeof value === "string") return Buffer.concat([head(3, value.length), Buffer.from(value)]);
  if (Buffer.isBuffer(value)) return Buffer.concat([head(2, value.length), value]);
  if (!(value instanceof Map)) throw new Error("Nothing else is written.");
  return Buffer.concat([head(5, value.size), ...[...value].flat().map(cbor)]);
}
