/** If the disk fails, the page shows it, and can still remove the copy: removing reads nothing. */
import { afterEach, expect, test, vi } from "vitest";
import { removeOfflineCopy } from "#offline/index.ts";
import { lookForCopy } from "./use-offline-copy.ts";

afterEach(() => vi.unstubAllGlobals());

test("a disk that fails", async () => {
  const removed: string[] = [];
  const fail = () => Promise.reject(new DOMException("Internal error", "UnknownError"));
  vi.stubGlobal("isSecureContext", true);
  vi.stubGlobal("location", { origin: "https://site.test" });
  vi.stubGlobal("caches", {
    match: fail,
    open: fail,
    keys: async () => ["millrace-offline", "millrace-offline-1"],
    delete: async (name: string) => removed.push(name) > 0,
  });
  const serviceWorker = { getRegistrations: async () => [] };
  vi.stubGlobal("navigator", { locks: navigator.locks, serviceWorker });
  const why = expect.stringContaining("could not check whether it has a copy") as string;
  expect(await lookForCopy()).toEqual({ name: "unreadable", why });
  expect(await removeOfflineCopy()).toBe(true);
  expect(removed).toContain("millrace-offline-1");
});
