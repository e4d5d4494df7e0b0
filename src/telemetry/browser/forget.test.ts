// @vitest-environment happy-dom
/**
 * 1. The SDKs' data is removed; the site's data stays.
 * 2. The identifiers are read from where the SDKs store them; broken storage has none.
 * 3. An answer is remembered in words, and read back; where storage is forbidden, no one is asked.
 */
import { afterEach, describe, expect, it, vi } from "vitest";
import { storedChoice } from "./choice.ts";
import { forgetInsights, forgetReader, readerIds } from "./forget.ts";
import { readChoice, subscribeChoice, writeChoice } from "./stored-choice.ts";

function fill() {
  localStorage.setItem("theme", "dark");
  localStorage.setItem("millrace-consent", "analytics");
  localStorage.setItem("ph_millrace_posthog", JSON.stringify({ distinct_id: "reader-1" }));
  localStorage.setItem("seenSurvey_found-it", "true");
  localStorage.setItem("AlgoliaObjectQueryCache", "{}");
  sessionStorage.setItem("ph_millrace_window_id", "w");
  document.cookie = "_ALGOLIA=anonymous-1; path=/";
  document.cookie = "other=kept; path=/";
}

afterEach(() => {
  vi.restoreAllMocks();
  localStorage.clear();
  sessionStorage.clear();
  for (const name of ["_ALGOLIA", "other"]) document.cookie = `${name}=; path=/; max-age=-1`;
});

describe("forgetting", () => {
  it("(1) removes what the SDKs keep and nothing else", () => {
    fill();
    forgetReader();
    expect(Object.keys(localStorage).toSorted()).toEqual(["millrace-consent", "theme"]);
    expect(Object.keys(sessionStorage)).toEqual([]);
    expect(document.cookie).toBe("other=kept");
  });

  it("(1) can remove the click analytics alone", () => {
    fill();
    forgetInsights();
    expect(localStorage.getItem("ph_millrace_posthog")).not.toBeNull();
    expect(localStorage.getItem("AlgoliaObjectQueryCache")).toBeNull();
    expect(document.cookie).toBe("other=kept");
  });

  it("(2) reads the identifiers", () => {
    expect(readerIds()).toEqual([]);
    fill();
    expect(readerIds()).toEqual(["reader-1", "anonymous-1"]);
    localStorage.setItem("ph_millrace_posthog", "{");
    expect(readerIds()).toEqual(["anonymous-1"]);
  });
});

describe("the choice", () => {
  it.each([
    [{ analytics: false, recording: false }, "necessary"],
    [{ analytics: true, recording: false }, "analytics"],
    [{ analytics: false, recording: true }, "recording"],
    [{ analytics: true, recording: true }, "analytics recording"],
  ])("(3) %o is %s", (choice, stored) => {
    const heard = vi.fn<() => void>();
    const unsubscribe = subscribeChoice(heard);
    expect(readChoice()).toBeNull();
    writeChoice(choice);
    expect(storedChoice()).toBe(stored);
    expect(readChoice()).toEqual(choice);
    expect(heard).toHaveBeenCalledOnce();
    unsubscribe();
  });

  it("(3) says no where storage is forbidden", () => {
    vi.spyOn(globalThis, "localStorage", "get").mockImplementation(() => {
      throw new DOMException("denied", "SecurityError");
    });
    expect(storedChoice()).toBe("necessary");
  });
});
