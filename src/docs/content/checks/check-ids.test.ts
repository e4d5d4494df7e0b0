/**
 * Properties:
 * 1. A build id with two projects is found: next to two ids, or in two images' addresses, on one page or on two.
 * 2. A page or sample with several projects does not tell whose builds they are; one project may have many builds.
 * 3. A token that is revoked but was not shown before is found.
 */
import { expect, test } from "vitest";
import { checkIds } from "./check-ids.ts";
import { pageOf, sample } from "./page-fixture.ts";

const web = "prj_aaaaaaaaaa";
const shop = "prj_bbbbbbbbbb";
const build = "bld_cccccccccc";
const page = (name: string, ...codes: string[]) =>
  pageOf({
    path: `/docs/${name}`,
    markdown: codes.join("\n\n"),
    samples: codes.map((code, at) => sample("console", code, { line: 10 * (at + 1) })),
  });

test("a build belongs to one project (1)", () => {
  const pages = [page("a", `in ${web}\n${build} succeeded`), page("b", `in ${shop}`, `\n${build} succeeded`)];
  const [problem, ...others] = checkIds(pages);
  expect(others).toEqual([]);
  expect(problem).toMatchObject({ file: "content/docs/b.mdx", line: 21, rule: "ids" });
  expect(problem?.message).toContain(`${web} in content/docs/a.mdx, and to ${shop} here`);
  expect(checkIds([page("a", `x.example/acme/web:${build}`, `x.example/acme/shop:${build}`)])).toHaveLength(
    1,
  );
  expect(checkIds([page("a", `${web} ${build}`, `${shop} ${build}`)])).toHaveLength(1);
});

test("several projects on a page are not a claim (2)", () => {
  expect(checkIds([page("a", `${web} ${build}`, "bld_dddddddddd"), page("b", `${web} ${build}`)])).toEqual(
    [],
  );
  expect(checkIds([page("a", `${web}`, `${shop}`, build), page("b", `${web} ${build}`)])).toEqual([]);
});

test("a token is shown before it is revoked (3)", () => {
  const revoke = "$ millrace tokens revoke tok_eeeeeeeeee";
  expect(checkIds([page("a", "mr_prj_…\ntok_eeeeeeeeee expires never", revoke)])).toEqual([]);
  expect(checkIds([page("a", revoke, "tok_eeeeeeeeee")])).toMatchObject([{ line: 10, rule: "ids" }]);
});
