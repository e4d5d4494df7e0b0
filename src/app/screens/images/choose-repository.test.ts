/** The project used last comes first, then the one pushed to last, then any; a deleted one is ignored. */
import { expect, test } from "vitest";
import { chooseRepository } from "./choose-repository.ts";

const projects = ["web", "api", "worker"].map((name) => ({ id: `prj_${name}`, name }));
const repositories = [
  { name: "api", pushed_at: "2026-11-19T10:00:00Z" },
  { name: "old" },
  { name: "worker", pushed_at: "2026-11-20T10:00:00Z" },
];

test("which repository is shown", () => {
  expect(chooseRepository(projects, repositories, "prj_web")).toBe("web");
  expect(chooseRepository(projects, repositories, "prj_gone")).toBe("worker");
  expect(chooseRepository(projects, repositories, null)).toBe("worker");
  expect(chooseRepository(projects, [], null)).toBe("web");
  expect(chooseRepository([], [], "prj_web")).toBeNull();
});
