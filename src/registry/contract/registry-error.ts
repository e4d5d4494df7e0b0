/** A refusal by the registry: an expected outcome, with the codes of OCI Distribution. */

export type RegistryErrorCode =
  | "BLOB_UNKNOWN"
  | "BLOB_UPLOAD_INVALID"
  | "BLOB_UPLOAD_UNKNOWN"
  | "DIGEST_INVALID"
  | "MANIFEST_BLOB_UNKNOWN"
  | "MANIFEST_INVALID"
  | "MANIFEST_UNKNOWN"
  | "NAME_INVALID"
  | "NAME_UNKNOWN"
  | "SIZE_INVALID"
  | "UNAUTHORIZED"
  | "DENIED"
  | "UNSUPPORTED"
  | "TOOMANYREQUESTS";

export interface RegistryErrorDetails {
  /** If the code's own status is not right. */
  status?: number;
  /** For programs. */
  detail?: unknown;
  headers?: Readonly<Record<string, string>>;
  cause?: unknown;
}

export class RegistryError extends Error {
  readonly code: RegistryErrorCode;
  readonly status: number | undefined;
  readonly detail: unknown;
  readonly headers: Readonly<Record<string, string>>;

  /** @param message for people: what is wrong, and what to do */
  constructor(code: RegistryErrorCode, message: string, details: RegistryErrorDetails = {}) {
    super(message, "cause" in details ? { cause: details.cause } : undefined);
    this.code = code;
    this.status = details.status;
    this.detail = details.detail;
    this.headers = details.headers ?? {};
  }
}
