/** Caps of keys and tenant tokens. */

/** Keys that are kept; a further one is refused until one is deleted. */
export const MAX_KEYS = 1000;
/** Names and patterns of indexes of one key. */
export const MAX_KEY_INDEXES = 100;
/** UTF-16 units of a key's name or description. */
export const MAX_KEY_TEXT_LENGTH = 500;
/** Characters of the Authorization header; a token carries its rules in it. What is longer is read no further. */
export const MAX_CREDENTIAL_LENGTH = 8192;
/** Wrong keys from one address in a minute. Right ones do not count. */
export const WRONG_KEYS_PER_MINUTE = 10;
