import { describe, expect, it, vi } from "vitest";
import { type FailedTest, MAX_SECOND_TRIES, type TestRun, withSecondTry } from "./second-try.ts";

const failedTest = (name: string): FailedTest => ({ file: "tests/e2e/a.spec.ts", name });
const run = (passed: number, ...failed: string[]) => {
  const code = failed.length > 0 ? 1 : 0;
  const result: TestRun = { code, passed, failed: failed.map(failedTest), report: `${failed.length} failed` };
  return vi.fn<() => Promise<TestRun>>(async () => result);
};

describe("a second try", () => {
  it("is not needed where everything passed", async () => {
    const again = run(1);
    expect(await withSecondTry(run(5), again)).toEqual({ passed: 5, failed: 0, report: "0 failed" });
    expect(again).not.toHaveBeenCalled();
  });

  it("names what then passes, and counts it as passed", async () => {
    const again = run(1);
    const result = await withSecondTry(run(5, "opens"), again);
    expect(again).toHaveBeenCalledExactlyOnceWith([failedTest("opens")]);
    expect(result).toMatchObject({ passed: 6, failed: 0, unsteady: ["tests/e2e/a.spec.ts › opens"] });
  });

  it("leaves the run red for what fails twice, with both reports", async () => {
    const result = await withSecondTry(run(5, "opens", "closes"), run(1, "closes"));
    expect(result).toMatchObject({ passed: 5, failed: 1 });
    expect(result.unsteady).toBeUndefined();
    expect(result.report).toContain("2 failed");
    expect(result.report).toContain("1 failed");
  });

  it("leaves the run red where the second run ran nothing", async () => {
    expect(await withSecondTry(run(5, "opens"), run(0))).toMatchObject({ failed: 1 });
  });

  it("is not given to a runner that failed without a failed test", async () => {
    const again = run(1);
    const broken = async () => ({ code: 1, passed: 5, failed: [], report: "no server" });
    expect(await withSecondTry(broken, again)).toMatchObject({ failed: 1, report: "no server" });
    expect(again).not.toHaveBeenCalled();
  });

  it("is not given to more failures than accidents make", async () => {
    const again = run(MAX_SECOND_TRIES + 1);
    const names = Array.from({ length: MAX_SECOND_TRIES + 1 }, (_, index) => `test ${index}`);
    expect(await withSecondTry(run(5, ...names), again)).toMatchObject({ failed: names.length });
    expect(again).not.toHaveBeenCalled();
  });
});
