import type { CheckResult } from "./run-checks.ts";

/** One run of a test runner. */
export interface TestRun {
  /** Of its process. */
  code: number;
  passed: number;
  failed: FailedTest[];
  /** Everything that it printed. */
  report: string;
}

export interface FailedTest {
  /** From the project's root. */
  file: string;
  name: string;
}

/** More are no accident of a busy machine: nothing is tried again then. */
export const MAX_SECOND_TRIES = 2;

/**
 * Runs tests, and at most two that failed once more, by themselves (decision 045). Those that then pass are named as
 * unsteady and the run is not red for them.
 */
export async function withSecondTry(
  runAll: () => Promise<TestRun>,
  runAgain: (failed: FailedTest[]) => Promise<TestRun>,
): Promise<CheckResult> {
  const first = await runAll();
  const { passed, failed, report } = first;
  if (failed.length === 0 || failed.length > MAX_SECOND_TRIES)
    return { passed, failed: countFailures(first), report };
  const second = await runAgain(failed);
  // A run that ran nothing has shown nothing.
  const stillFailed = second.passed === 0 ? failed.length : countFailures(second);
  if (stillFailed > 0) {
    const reports = `${report.trim()}\n\nThe second try:\n\n${second.report}`;
    return { passed, failed: stillFailed, report: reports };
  }
  return {
    passed: passed + failed.length,
    failed: 0,
    unsteady: failed.map(({ file, name }) => `${file} › ${name}`),
    report,
  };
}

/** A runner can fail without a failed test, for example where its server does not start. */
const countFailures = ({ code, failed }: TestRun) => (code === 0 ? 0 : Math.max(failed.length, 1));
