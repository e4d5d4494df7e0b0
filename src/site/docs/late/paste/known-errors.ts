let loaded: Promise<readonly string[]> | undefined;

/** The messages with a section of their own (`src/docs/content/known-errors.ts`). @returns nothing where the request fails */
export function loadKnownErrors(): Promise<readonly string[]> {
  loaded ??= fetch("/docs/errors.json")
    .then((response) => (response.ok ? (response.json() as Promise<string[]>) : Promise.reject(new Error())))
    .catch(() => {
      loaded = undefined;
      return [];
    });
  return loaded;
}
