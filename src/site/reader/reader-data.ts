import { removeOfflineCopy } from "#offline/index.ts";
import { loadReader } from "../telemetry.ts";

/** Downloads all data stored under the identifiers as a JSON file. @returns a message. @throws Error to be shown. */
export async function exportData(ids: string[]): Promise<string> {
  const data = await ask("/your-data/export", ids);
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([JSON.stringify(data, null, 2)], { type: "application/json" }));
  link.download = "your-data.json";
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
  const entries = Object.values(data).filter((list) => Array.isArray(list));
  const count = entries.reduce((sum, list) => sum + list.length, 0);
  return `Downloaded: ${count} ${count === 1 ? "entry" : "entries"}.`;
}

/**
 * Erases all data under the identifiers, then ends analytics and recording, and erases again the data that the page sent in
 * the meantime. Also removes the offline copy. @returns a message. @throws Error to be shown; the browser then still has the
 * identifiers.
 */
export async function eraseData(ids: string[]): Promise<string> {
  await ask("/your-data/erase", ids);
  const reader = await loadReader();
  await reader.choose({ analytics: false, recording: false });
  await ask("/your-data/erase", ids).catch(() => {});
  await removeOfflineCopy();
  return "Erased. Analytics and recording are off, and this browser no longer has a number.";
}

async function ask(address: string, ids: string[]): Promise<{ [name: string]: unknown[] | unknown }> {
  const response = await fetch(address, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ ids }),
  }).catch(() => null);
  if (!response)
    throw new Error("The server could not be reached. Nothing was changed; try again in a moment.");
  const answer = (await response.json().catch(() => ({}))) as { [name: string]: unknown };
  if (response.ok) return answer;
  const reason = typeof answer["message"] === "string" ? answer["message"] : `Status ${response.status}.`;
  throw new Error(`That did not work. ${reason}`);
}
