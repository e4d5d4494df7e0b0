/** A person who approves every login of the CLI in a browser that is signed in already. */
import { DatabaseSync } from "node:sqlite";

const PAUSE_MS = 100;

export function approveLogins(options: { origin: string; databaseFile: string; cookie: string }): {
  stop: () => void;
} {
  const { origin, databaseFile, cookie } = options;
  const db = new DatabaseSync(databaseFile, { readOnly: true, timeout: 10_000 });
  const waiting = db.prepare("SELECT user_code FROM device_codes WHERE state = 'pending'");
  const approve = (code: string) =>
    fetch(`${origin}/oauth/device/approve`, {
      method: "POST",
      headers: {
        "content-type": "application/json",
        cookie: `millrace-session=${cookie}`,
        origin,
        "sec-fetch-site": "same-origin",
      },
      body: JSON.stringify({ code, organization: "acme" }),
    });
  const stop = new AbortController();
  const look = async () => {
    while (!stop.signal.aborted) {
      for (const row of waiting.all()) await approve(String(row["user_code"])).catch(() => undefined);
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
    }
    db.close();
  };
  void look();
  return { stop: () => stop.abort() };
}
