import type { Build } from "#api/gen/json-types.ts";
import { cutText } from "../../format.ts";
import { CopyIconButton } from "../../ui/copy-icon-button.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { ScrollFrame } from "../../ui/scroll-frame.tsx";
import { cutDigest } from "../images/image-words.ts";

const MOST_SHOWN = 100;

const NAMES: readonly [RegExp, string][] = [
  [/slsa\.dev\/provenance/, "provenance"],
  [/spdx/, "SBOM"],
  [/cyclonedx/, "SBOM"],
];

/** "provenance", "SBOM"; otherwise the type itself. */
export const describeAttestation = (type: string): string =>
  NAMES.find(([pattern]) => pattern.test(type))?.[1] ?? cutText(type, 60);

/** The attestations that BuildKit attached to the image. */
export function AttestationTable({ build }: { build: Build }) {
  if (build.attestations.length === 0)
    return (
      <EmptyState title="The image has no attestations">
        <p>
          <code>--provenance=mode=max</code> records how the image was built, <code>--sbom=true</code> what it
          contains.
        </p>
      </EmptyState>
    );
  return (
    <ScrollFrame label="Attestations" className="table-panel">
      <table className="table keep">
        <thead>
          <tr>
            <th scope="col">Attestation</th>
            <th scope="col">Platform</th>
            <th scope="col">Digest</th>
          </tr>
        </thead>
        <tbody>
          {build.attestations.slice(0, MOST_SHOWN).map(({ type, platform, digest }) => (
            <tr key={`${type} ${platform} ${digest}`}>
              <th scope="row" className="main-column" title={cutText(type, 300)}>
                {describeAttestation(type)}
              </th>
              <td className="mono">{cutText(platform, 60)}</td>
              <td>
                <span className="row">
                  <span className="mono">{cutDigest(cutText(digest, 200))}</span>
                  <CopyIconButton text={digest} label="Copy the digest" />
                </span>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollFrame>
  );
}
