/** Explains network errors in the words of Node.js, with advice. */
import { connect, type DetailedPeerCertificate, type PeerCertificate } from "node:tls";
import { CliError, errorCode } from "./errors.ts";
import { cleanText } from "./text.ts";

const CERTIFICATE_TIMEOUT_MS = 5000;
const NOT_TRUSTED = new Set([
  "DEPTH_ZERO_SELF_SIGNED_CERT",
  "SELF_SIGNED_CERT_IN_CHAIN",
  "UNABLE_TO_GET_ISSUER_CERT",
  "UNABLE_TO_GET_ISSUER_CERT_LOCALLY",
  "UNABLE_TO_VERIFY_LEAF_SIGNATURE",
]);

/** @param tag for another registry: the flag that named it, such as `--tag` */
export async function networkError(error: unknown, url: URL, tag?: string): Promise<CliError> {
  const cause = innermost(error);
  const code = errorCode(cause);
  // Drops the advice that newer versions of Node.js add.
  const reason = cleanText(cause.message).split(";")[0] || code;
  if (NOT_TRUSTED.has(code)) return certificateError(reason, url, cause);
  return new CliError(`${reason}: ${adviceFor(code, url, tag)}`, undefined, cause);
}

/** fetch wraps the original error, and a host with several addresses has an error for each. */
function innermost(error: unknown): Error {
  const inner =
    error instanceof AggregateError ? error.errors[0] : error instanceof Error ? error.cause : undefined;
  if (inner instanceof Error) return innermost(inner);
  return error instanceof Error ? error : new Error(String(error));
}

function adviceFor(code: string, { origin, hostname, protocol }: URL, tag: string | undefined): string {
  const where = tag ?? "--url or MILLRACE_URL";
  if (code === "ECONNREFUSED")
    return `nothing is listening at ${origin}. Start ${tag === undefined ? "Millrace" : "the registry"} there, or correct ${where}`;
  if (code === "ENOTFOUND" || code === "EAI_AGAIN")
    return `the name ${hostname} cannot be resolved here. Correct ${where}`;
  if (code === "ERR_TLS_CERT_ALTNAME_INVALID")
    return `the certificate is not valid for ${hostname}. Correct ${where}`;
  if (code === "CERT_HAS_EXPIRED") return `renew the certificate of ${origin}`;
  if (code === "CERT_NOT_YET_VALID") return "check the clock of this machine";
  if (/SSL|TLS|EPROTO/.test(code))
    return protocol === "https:"
      ? `${origin} does not speak HTTPS. Try http://, or correct ${where}`
      : `correct ${where}`;
  if (code === "ECONNRESET" || code === "UND_ERR_SOCKET") return `${origin} closed the connection. Try again`;
  return `${origin} cannot be reached. Check the network, HTTPS_PROXY and ${tag ?? "MILLRACE_URL"}`;
}

async function certificateError(reason: string, url: URL, cause: Error): Promise<CliError> {
  const seen = await describeCertificate(url).catch(() => "");
  return new CliError(
    `${reason}: ${url.origin} has a certificate that this machine does not trust${seen}. ` +
      "Set NODE_EXTRA_CA_CERTS to the file of the authority that issued it",
    undefined,
    cause,
  );
}

/** Reads the certificate over a separate connection that sends nothing. */
function describeCertificate({ hostname, port }: URL): Promise<string> {
  const host = hostname.replace(/^\[|\]$/g, "");
  return new Promise((resolve, reject) => {
    const socket = connect(
      {
        host,
        port: Number(port || 443),
        servername: /^[\d.]+$|:/.test(host) ? "" : host,
        rejectUnauthorized: false,
      },
      () => {
        const certificate = socket.getPeerCertificate(true);
        socket.destroy();
        const until = new Date(certificate.valid_to).toISOString().slice(0, 10);
        resolve(
          ` (for ${nameOf(certificate.subject)}, by ${nameOf(rootOf(certificate).issuer)}, until ${until}, SHA-256 ${certificate.fingerprint256})`,
        );
      },
    );
    socket.setTimeout(CERTIFICATE_TIMEOUT_MS, () => socket.destroy(new Error("no certificate came")));
    socket.on("error", reject);
  });
}

function rootOf(certificate: DetailedPeerCertificate): DetailedPeerCertificate {
  const { issuerCertificate: issuer } = certificate;
  return issuer === undefined || issuer.fingerprint256 === certificate.fingerprint256
    ? certificate
    : rootOf(issuer);
}

function nameOf({ CN, O }: PeerCertificate["subject"]): string {
  // A repeated name is an array.
  return cleanText([CN ?? O ?? "an authority without a name"].flat().join(", ")).slice(0, 100);
}
