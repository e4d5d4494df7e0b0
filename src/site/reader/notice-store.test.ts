// @vitest-environment happy-dom
/**
 * 1. Notices are in the order of their arrival; a notice with a known id replaces the former one, at the end.
 * 2. Hiding removes one notice and keeps the others; an unknown id notifies no listener.
 * 3. Each change gives a new list, so that React sees it.
 * 4. A new notice is announced through the live region, even if it already has the same text.
 */
import { afterEach, describe, expect, it, vi } from "vitest";
import { currentNotices, hideNotice, showNotice, subscribeNotices } from "./notice-store.ts";

const ids = () => currentNotices().map(({ id }) => id);

afterEach(() => {
  for (const id of ids()) hideNotice(id);
  document.body.innerHTML = "";
});

describe("notices", () => {
  it("(1) keeps them in order and replaces by id", () => {
    showNotice({ id: "consent", title: "May we count?" });
    showNotice({ id: "version", title: "A new version is available" });
    showNotice({ id: "consent", title: "May we count what you read?" });
    expect(ids()).toEqual(["version", "consent"]);
    expect(currentNotices().at(-1)?.title).toBe("May we count what you read?");
  });

  it("(2, 3) hides one, with a new list, and tells the listeners", () => {
    showNotice({ id: "a", title: "A" });
    showNotice({ id: "b", title: "B" });
    const before = currentNotices();
    const heard = vi.fn<() => void>();
    const unsubscribe = subscribeNotices(heard);
    hideNotice("a");
    expect(ids()).toEqual(["b"]);
    expect(currentNotices()).not.toBe(before);
    hideNotice("unknown");
    expect(heard).toHaveBeenCalledOnce();
    unsubscribe();
    hideNotice("b");
    expect(heard).toHaveBeenCalledOnce();
  });

  it("(4) says the title, again when it is the same", async () => {
    document.body.innerHTML = '<output id="announcer">Copied</output>';
    const region = document.querySelector("#announcer");
    showNotice({ id: "a", title: "Copied" });
    expect(region?.textContent).toBe("");
    await vi.waitFor(() => expect(region?.textContent).toBe("Copied"));
  });
});
