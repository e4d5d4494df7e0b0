import { expect, test } from "vitest";
import { editUrlOf } from "./edit-url.ts";

const FILE = "content/docs/cache/overview.mdx";

test.each([
  ["https://github.com/acme/docs", "https://github.com/acme/docs/edit/main/"],
  ["https://github.com/acme/docs/", "https://github.com/acme/docs/edit/main/"],
  ["https://github.com/acme/docs.git", "https://github.com/acme/docs/edit/main/"],
  ["https://git.acme.com/gitlab/docs", "https://git.acme.com/gitlab/docs/edit/main/"],
  ["https://gitlab.com/acme/group/docs", "https://gitlab.com/acme/group/docs/-/edit/main/"],
  ["https://gitlab.acme.com:8443/docs.git/", "https://gitlab.acme.com:8443/docs/-/edit/main/"],
])("%s", (repository, folder) => expect(editUrlOf(repository, FILE)).toBe(folder + FILE));

test("a name that an address cannot hold is written so that it can", () =>
  expect(editUrlOf("https://github.com/acme/docs", "content/docs/c# & co?.mdx")).toBe(
    "https://github.com/acme/docs/edit/main/content/docs/c%23%20%26%20co%3F.mdx",
  ));

test("no repository, no link", () => expect(editUrlOf(null, FILE)).toBeNull());
