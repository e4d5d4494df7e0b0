/**
 * JSON of the build's, asked for once by however many: a request that failed is forgotten, so that the next one asks again.
 * @param fallback the answer where the request fails
 */
export function fetchOnce<Answer>(url: string, fallback: Answer): () => Promise<Answer> {
  let asked: Promise<Answer> | undefined;
  return () =>
    (asked ??= fetch(url)
      .then((response) => (response.ok ? (response.json() as Promise<Answer>) : Promise.reject(new Error())))
      .catch(() => {
        asked = undefined;
        return fallback;
      }));
}
