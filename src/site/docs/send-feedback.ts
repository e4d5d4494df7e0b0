/** @throws when the answer was not stored. */
export async function sendFeedback(path: string, answer: "yes" | "no", text: string): Promise<void> {
  const response = await fetch("/feedback", {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ path, answer, text }),
  });
  if (!response.ok) throw new Error(`The answer was not stored (status ${response.status}).`);
}
