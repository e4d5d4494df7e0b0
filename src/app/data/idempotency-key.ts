const KEY_BYTES = 16;

/** Pages on plain http have no `randomUUID`. */
function newKey(): string {
  return [...crypto.getRandomValues(new Uint8Array(KEY_BYTES))]
    .map((byte) => byte.toString(16).padStart(2, "0"))
    .join("");
}

/**
 * Keys for calls that create: a request keeps its key as long as it may be sent again, so that a retry after a
 * lost answer creates nothing twice.
 */
export function createIdempotencyKeys(): { of: (request: unknown) => string } {
  let held: { text: string; key: string } | null = null;
  return {
    of(request) {
      const text = JSON.stringify(request);
      if (held?.text !== text) held = { text, key: newKey() };
      return held.key;
    },
  };
}
