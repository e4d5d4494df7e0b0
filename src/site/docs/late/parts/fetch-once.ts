/**
 * JSON from the build, requested once for all callers: a failed request is forgotten, so that the next call tries again.
 * @param fallback the answer if the request fails
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
