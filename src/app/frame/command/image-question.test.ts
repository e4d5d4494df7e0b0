/** A project's images are requested by its name; without one, those of the project viewed last, from four characters. */
import { expect, test } from "vitest";
import { readImageQuestion } from "./image-question.ts";

const known = {
  organization: "acme",
  projects: [
    { id: "prj_web", name: "web" },
    { id: "prj_api", name: "api" },
  ],
  usedId: "prj_api",
};
const web = (query: string) => ({ projectId: "prj_web", project: "web", query });
const api = (query: string) => ({ projectId: "prj_api", project: "api", query });

test.each([
  ["acme/web:main", web("main")],
  ["web:ma", web("ma")],
  ["web@sha256:9a1f", web("sha256:9a1f")],
  ["acme/web:", web("")],
  ["main", api("main")],
  ["sha256:9a1f", api("sha256:9a1f")],
  ["mai", null],
  ["other/web:main", null],
  ["gone:main", null],
  ["acme/web", null],
  ["> new token", null],
  ["two words", null],
  ["__proto__:x", null],
])("%s", (text, question) => expect(readImageQuestion(text, known)).toEqual(question));

test("nothing was looked at yet", () => {
  expect(readImageQuestion("main", { ...known, usedId: null })).toBeNull();
});
