/** The server's certificate, read from one PEM file or two, and reread when they are renewed. */
import { X509Certificate } from "node:crypto";
import { readFileSync, statSync } from "node:fs";
import { createSecureContext } from "node:tls";

/** Certificate chain and private key, as PEM. */
export interface CertificatePair {
  cert: string;
  key: string;
}

export interface Certificate {
  current: () => CertificatePair;
  /** Called with each pair that replaces the previous one. */
  onChange: (listener: (pair: CertificatePair) => void) => void;
  /** Checks whether the files have changed. */
  check: () => void;
  close: () => void;
}

export interface CertificateOptions {
  /** Path of the certificate with its chain, `TLS_CERT`. */
  certFile: string;
  /** Path of the private key, `TLS_KEY`; may be the same. */
  keyFile: string;
  log?: (line: string) => void;
  /** Milliseconds since 1970. */
  clock?: () => number;
}

/**
 * Milliseconds between two checks of the files. It polls because tools that renew certificates replace links,
 * folders or files, and a watch follows only one of these.
 */
const CHECK_MS = 60_000;

/** @throws Error that says which file is wrong and what to do */
export function openCertificate(options: CertificateOptions): Certificate {
  const { certFile, keyFile, log = console.log, clock = Date.now } = options;
  let pair = readPair(certFile, keyFile);
  let stamp = stampOf(certFile, keyFile);
  const listeners: ((pair: CertificatePair) => void)[] = [];
  const invalid = describeInvalid(pair.cert, clock());
  if (invalid !== "") log(`  TLS_CERT ${certFile} ${invalid}`);

  function check(): void {
    const newStamp = stampOf(certFile, keyFile);
    if (newStamp === stamp) return;
    stamp = newStamp;
    try {
      pair = readPair(certFile, keyFile);
      for (const listener of listeners) listener(pair);
      // Including certificates that are invalid by this clock: the clients' clocks decide.
      const stillInvalid = describeInvalid(pair.cert, clock());
      log(
        `The TLS certificate was renewed: new connections use it.${stillInvalid === "" ? "" : ` TLS_CERT ${certFile} ${stillInvalid}`}`,
      );
    } catch (error) {
      // One file may have been replaced before the other; once both are replaced, the stamp changes again.
      log(
        `The previous TLS certificate stays in use. ${error instanceof Error ? error.message : String(error)}`,
      );
    }
  }

  const timer = setInterval(check, CHECK_MS).unref();
  return {
    current: () => pair,
    onChange: (listener) => void listeners.push(listener),
    check,
    close: () => clearInterval(timer),
  };
}

/** @returns "" for a certificate that is valid by the clock */
function describeInvalid(cert: string, now: number): string {
  const { validFromDate, validToDate } = new X509Certificate(cert);
  const day = (date: Date) => date.toISOString().slice(0, 10);
  const unless = "clients will refuse it, unless this server's clock is wrong.";
  if (validToDate.getTime() < now) return `expired on ${day(validToDate)}: ${unless}`;
  if (validFromDate.getTime() > now) return `is not valid before ${day(validFromDate)}: ${unless}`;
  return "";
}

function readPair(certFile: string, keyFile: string): CertificatePair {
  const cert = readPem("TLS_CERT", certFile, "CERTIFICATE");
  if (certFile === keyFile && !hasPem(cert, "PRIVATE KEY"))
    throw new Error(
      `TLS_CERT ${certFile} has no private key: add the key to that file, or set TLS_KEY to the path of the key's file.`,
    );
  const key = readPem("TLS_KEY", keyFile, "PRIVATE KEY");
  try {
    createSecureContext({ cert, key });
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new Error(
      `${certFile === keyFile ? `The certificate and the key in TLS_CERT ${certFile}` : `TLS_CERT ${certFile} and TLS_KEY ${keyFile}`} cannot be used together (${reason}): use the key that the certificate was issued for, without a passphrase.`,
      { cause: error },
    );
  }
  return { cert, key };
}

function readPem(variable: string, file: string, label: string): string {
  let text: string;
  try {
    text = readFileSync(file, "utf8");
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new Error(
      `${variable} ${file} cannot be read (${code}): set it to the path of a PEM file that this user can read.`,
      { cause: error },
    );
  }
  if (!hasPem(text, label))
    throw new Error(
      `${variable} ${file} is not a PEM file with a ${label.toLowerCase()}: it has no line "-----BEGIN ${label}-----".`,
    );
  return text;
}

const hasPem = (text: string, label: string) =>
  text.split("\n").some((line) => line.startsWith("-----BEGIN ") && line.trimEnd().endsWith(`${label}-----`));

/** When a file was last written; links are followed. */
function stampOf(...files: string[]): string {
  return files
    .map((file) => {
      const stat = statSync(file, { throwIfNoEntry: false });
      return stat ? `${stat.ino} ${stat.mtimeMs} ${stat.size}` : "missing";
    })
    .join("; ");
}
