/**
 * The authority of builders: it signs one certificate for the port, and one for each build, which names the build and its platform
 * and lives a day longer than a build may run. Client keys are made here, sent once and never stored.
 */
// Required by the certificate library.
import "reflect-metadata";
import { isIP } from "node:net";
import {
  AuthorityKeyIdentifierExtension,
  BasicConstraintsExtension,
  ExtendedKeyUsage,
  ExtendedKeyUsageExtension,
  KeyUsageFlags,
  KeyUsagesExtension,
  PemConverter,
  SubjectAlternativeNameExtension,
  SubjectKeyIdentifierExtension,
  X509Certificate,
  X509CertificateGenerator,
  cryptoProvider,
} from "@peculiar/x509";

cryptoProvider.set(crypto);

const ALGORITHM = { name: "ECDSA", namedCurve: "P-256", hash: "SHA-256" } as const;
const AUTHORITY_MS = 10 * 365 * 24 * 60 * 60 * 1000;
/** The start of every certificate, whatever the clock says: the clock may be wrong, and be corrected later. */
const BEGINS = new Date("2026-01-01T00:00:00Z");
/** Added to the end, because the verifier's clock may be ahead. Access depends on the state of the build, not on its certificate. */
export const CLOCKS_DIFFER_MS = 24 * 60 * 60 * 1000;
const SERIAL_BYTES = 16;

/** As PEM. */
export interface CertificateWithKey {
  certificate: string;
  key: string;
}

export interface Authority {
  /** PEM. */
  certificate: string;
  /** @param hosts names and addresses that clients know the port by */
  signServer: (hosts: readonly string[], until: Date) => Promise<CertificateWithKey>;
  /** For one build on one platform. */
  signClient: (buildId: string, platform: string, until: Date) => Promise<CertificateWithKey>;
  /** For a remote builder, which uses this server's registry for its project. */
  signBuilder: (organizationId: string, projectId: string, until: Date) => Promise<CertificateWithKey>;
}

interface Signed {
  name: string;
  until: Date;
  usage: ExtendedKeyUsage;
  hosts?: readonly string[];
}

/** Made once, at the first start of the first server. @public for the start of the room */
export async function makeAuthority(now: Date): Promise<CertificateWithKey> {
  const keys = await makeKeys();
  const certificate = await X509CertificateGenerator.createSelfSigned({
    serialNumber: randomSerial(),
    name: [{ CN: ["Millrace builders"] }],
    notBefore: BEGINS,
    notAfter: new Date(Math.max(now.getTime(), BEGINS.getTime()) + AUTHORITY_MS),
    signingAlgorithm: ALGORITHM,
    keys,
    extensions: [
      new BasicConstraintsExtension(true, 0, true),
      new KeyUsagesExtension(KeyUsageFlags.keyCertSign, true),
      await SubjectKeyIdentifierExtension.create(keys.publicKey),
    ],
  });
  return { certificate: certificate.toString("pem"), key: await exportKey(keys.privateKey) };
}

/** @public for the start of the room. @throws Error when the key does not match the certificate's algorithm */
export async function openAuthority(pair: CertificateWithKey): Promise<Authority> {
  const authority = new X509Certificate(pair.certificate);
  const signingKey = await importKey(pair.key);
  const sign = async ({ name, until, usage, hosts = [] }: Signed): Promise<CertificateWithKey> => {
    const keys = await makeKeys();
    const certificate = await X509CertificateGenerator.create({
      serialNumber: randomSerial(),
      subject: [{ CN: [name] }],
      issuer: authority.subject,
      notBefore: BEGINS,
      notAfter: new Date(Math.max(until.getTime(), BEGINS.getTime()) + CLOCKS_DIFFER_MS),
      signingAlgorithm: ALGORITHM,
      publicKey: keys.publicKey,
      signingKey,
      extensions: [
        new BasicConstraintsExtension(false, undefined, true),
        new KeyUsagesExtension(KeyUsageFlags.digitalSignature, true),
        new ExtendedKeyUsageExtension([usage], true),
        await AuthorityKeyIdentifierExtension.create(authority),
        ...(hosts.length === 0 ? [] : [nameHosts(hosts)]),
      ],
    });
    return { certificate: certificate.toString("pem"), key: await exportKey(keys.privateKey) };
  };
  return {
    certificate: pair.certificate,
    signServer: (hosts, until) =>
      sign({ name: hosts[0] ?? "builders", until, usage: ExtendedKeyUsage.serverAuth, hosts }),
    signClient: (buildId, platform, until) =>
      sign({ name: nameBuild(buildId, platform), until, usage: ExtendedKeyUsage.clientAuth }),
    signBuilder: (organizationId, projectId, until) =>
      sign({ name: `builder ${organizationId} ${projectId}`, until, usage: ExtendedKeyUsage.clientAuth }),
  };
}

const nameHosts = (hosts: readonly string[]) =>
  new SubjectAlternativeNameExtension(
    hosts.map((value) => ({ type: isIP(value) === 0 ? "dns" : "ip", value }) as const),
  );

const nameBuild = (buildId: string, platform: string) => `${buildId} ${platform}`;

/** The build and platform of a client's certificate or tunnel, from its name; null for any other name. */
export function readBuildName(commonName: unknown): { buildId: string; platform: string } | null {
  if (typeof commonName !== "string") return null;
  const [, buildId, platform] =
    /^(bld_[0-9a-z]{1,40}) ([0-9a-z]+(?:\/[0-9a-z]+){1,2})$/.exec(commonName) ?? [];
  return buildId !== undefined && platform !== undefined ? { buildId, platform } : null;
}

/** The organization and project of a builder's certificate, from its common name; null for any other name. */
export function readBuilderName(commonName: unknown): { organizationId: string; projectId: string } | null {
  if (typeof commonName !== "string") return null;
  const [, organizationId, projectId] =
    /^builder (org_[0-9a-z]{1,40}) (prj_[0-9a-z]{1,40})$/.exec(commonName) ?? [];
  return organizationId !== undefined && projectId !== undefined ? { organizationId, projectId } : null;
}

const makeKeys = () => crypto.subtle.generateKey(ALGORITHM, true, ["sign", "verify"]);

const exportKey = async (key: CryptoKey) =>
  PemConverter.encode(await crypto.subtle.exportKey("pkcs8", key), "PRIVATE KEY");

async function importKey(pem: string): Promise<CryptoKey> {
  const [der] = PemConverter.decode(pem);
  if (!der) throw new Error("The key of the builders' authority is not PEM");
  return crypto.subtle.importKey("pkcs8", der, ALGORITHM, false, ["sign"]);
}

function randomSerial(): string {
  const serial = Buffer.from(crypto.getRandomValues(new Uint8Array(SERIAL_BYTES)));
  // A serial number is positive and does not start with a zero byte.
  serial[0] = (serial.readUInt8(0) & 0x7f) | 1;
  return serial.toString("hex");
}
