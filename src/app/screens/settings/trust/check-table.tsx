import type { ClaimCheck } from "#api/gen/json-types.ts";
import { ScrollFrame } from "../../../ui/scroll-frame.tsx";
import { Status } from "../../../ui/status.tsx";
import { describeGot, describeWanted } from "./test-words.ts";

/** Claim by claim: the values of a job's token next to the required ones. */
export function CheckTable({ checks, label }: { checks: readonly ClaimCheck[]; label: string }) {
  return (
    <ScrollFrame className="table-panel" label={label}>
      <table className="table keep checks">
        <thead>
          <tr>
            <th scope="col">Claim</th>
            <th scope="col">The job’s token says</th>
            <th scope="col">You require</th>
            <th scope="col">
              <span className="vh">Result</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {checks.map((check) => (
            <tr key={check.claim}>
              <th scope="row" className="mono">
                <bdi>{check.claim}</bdi>
              </th>
              <td className={check.matches ? "mono muted" : "mono text-fail"}>
                <bdi>{describeGot(check)}</bdi>
              </td>
              <td className="mono muted">
                <bdi>{describeWanted(check)}</bdi>
              </td>
              <td className="align-right">
                {check.matches ? (
                  <Status state="succeeded" word="Same" />
                ) : (
                  <Status state="failed" word="Differs" />
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollFrame>
  );
}
