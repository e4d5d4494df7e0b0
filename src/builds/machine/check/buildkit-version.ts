/** Which releases of BuildKit builders can use. */

/** Of 0.x. */
export const OLDEST_MINOR = 33;

/**
 * A version without a number was built from source by hand.
 * @param told by `buildkitd --version`
 * @returns `0.12.5` if it is too old
 */
export function tooOldVersion(told: string): string | null {
  const [, version, minor] = /\bv((?!0\.0\.0)0\.(\d+)\.\S+)/.exec(told) ?? [];
  return version !== undefined && Number(minor) < OLDEST_MINOR ? version : null;
}
