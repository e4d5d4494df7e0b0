/** @throws Error with a message for the reader if the answer was not stored. */
export async function sendFeedback(path: string, answer: "yes" | "no", text: string): Promise<void> {
  const response = await fetch("/feedback", {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ path, answer, text }),
  }).catch(() => null);
  if (!response?.ok) throw new Error(reasonOf(response?.status));
}

function reasonOf(status: number | undefined): string {
  if (status === undefined) return "Not sent: the server could not be reached.";
  if (status === 429) return "Not saved: too many answers at the moment.";
  return status === 507
    ? "Not saved: the server has no space left."
    : "Not saved: the server could not store it.";
}
