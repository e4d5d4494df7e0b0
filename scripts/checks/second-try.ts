import type { CheckResult } from "./run-checks.ts";

/** One run of a test runner. */
export interface TestRun {
  /** Exit code of its process. */
  code: number;
  passed: number;
  failed: FailedTest[];
  /** All output. */
  report: string;
}

export interface FailedTest {
  /** From the project's root. */
  file: string;
  name: string;
}

/** More failures are not due to a busy machine: then nothing is retried. */
export const MAX_SECOND_TRIES = 2;

/**
 * Runs tests, and reruns at most two failed ones on their own (decision 045). Tests that then pass are reported as unsteady and
 * do not fail the run.
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
  // A run without tests proves nothing.
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

/** A runner can fail without a failed test, for example when its server does not start. */
const countFailures = ({ code, failed }: TestRun) => (code === 0 ? 0 : Math.max(failed.length, 1));
