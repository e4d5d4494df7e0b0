/** The end of a page says when it changed and when its commands ran, each only if that is known, in the page's language. */
import { expect, test } from "vitest";
import { pageDates } from "./page-dates.ts";

const ran = { commit: "4be92d1f", date: "2026-11-09" };

test("lines", () => {
  expect(pageDates({ updated: null, ran: null }, undefined)).toEqual({});
  expect(pageDates({ updated: "2026-11-14", ran: null }, undefined)).toEqual({
    updated: "Last updated 14 November 2026",
  });
  expect(pageDates({ updated: null, ran }, undefined)).toEqual({
    ran: "Commands ran on 4be92d1f, 9 November 2026",
  });
});

test("in German", () => {
  const words = { "Last updated": "Zuletzt geändert am", "Commands ran on": "Befehle ausgeführt mit" };
  expect(pageDates({ updated: "2026-03-14", ran }, { language: "de", index: "docs--de", words })).toEqual({
    updated: "Zuletzt geändert am 14. März 2026",
    ran: "Befehle ausgeführt mit 4be92d1f, 9. November 2026",
  });
});
