import { ApiError } from "./errors.ts";
import { MAX_UID_LENGTH } from "./limits.ts";

export function isIndexUid(uid: string): boolean {
  return /^[A-Za-z0-9_-]+$/.test(uid) && uid.length <= MAX_UID_LENGTH;
}

/** @throws ApiError `invalid_index_uid` */
export function checkIndexUid(uid: string): void {
  if (isIndexUid(uid)) return;
  throw new ApiError(
    "invalid_index_uid",
    `\`${uid.slice(0, MAX_UID_LENGTH)}\` is not a valid index uid. Index uid can be an integer or a string containing only ` +
      `alphanumeric characters, hyphens (-) and underscores (_), and can not be more than ${MAX_UID_LENGTH} bytes.`,
  );
}
