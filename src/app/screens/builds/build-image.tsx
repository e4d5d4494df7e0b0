import type { ReactNode } from "react";
import { Link } from "react-router";
import type { Build } from "#api/gen/json-types.ts";
import { useOrganization } from "../../data/organization.ts";
import { cutText } from "../../format.ts";
import { addressOf } from "../../page/places.ts";
import { CodeLine } from "../../ui/code-line.tsx";
import { CopyIconButton } from "../../ui/copy-icon-button.tsx";
import { cutDigest } from "../images/image-words.ts";
import { Facts } from "../settings/side-panel.tsx";
import { describeAttestation } from "./attestation-table.tsx";

const TAGS_SHOWN = 20;

/** The build's image, if it was kept. */
export function BuildImage({ build }: { build: Build }) {
  const { name } = useOrganization();
  if (build.image === "") return <NotKept build={build} />;
  const tag = build.save_tags[0] ?? build.id;
  const to = addressOf(
    name,
    `images/${encodeURIComponent(build.project)}?saved=1&tag=${encodeURIComponent(tag)}`,
  );
  const kinds = [...new Set(build.attestations.map(({ type }) => describeAttestation(type)))];
  const facts: [string, ReactNode][] = [
    [
      "Tags",
      <span key="tags" className="row wrap">
        {[...build.save_tags, build.id].slice(0, TAGS_SHOWN).map((each) => (
          <span key={each} className="tag">
            <bdi className="clip">{each}</bdi>
          </span>
        ))}
      </span>,
    ],
    ["Digest", <Digest key="digest" digest={build.digest} />],
    [
      "Platforms",
      <span key="platforms" className="mono">
        {build.platforms.join(", ") || "–"}
      </span>,
    ],
    ["Attached", kinds.length > 0 ? kinds.join(", ") : "nothing"],
  ];
  return (
    <>
      <div className="section-header">
        <h2>Image</h2>
        <Link className="end link" to={to}>
          In the registry
        </Link>
      </div>
      {build.state === "succeeded" && <CodeLine command={`docker pull ${build.image}`} />}
      <Facts facts={facts} />
    </>
  );
}

function Digest({ digest }: { digest: string }) {
  if (digest === "") return <span className="subtle">not known yet</span>;
  return (
    <span className="row">
      <span className="mono clip" title={digest}>
        {cutDigest(cutText(digest, 200))}
      </span>
      <CopyIconButton text={digest} label="Copy the digest" />
    </span>
  );
}

function NotKept({ build }: { build: Build }) {
  return (
    <>
      <h2>Image</h2>
      <p className="text-xs muted">
        {build.state === "succeeded"
          ? "The image is not in this server's registry: the build's output went to whoever started it."
          : "This build stores nothing in this server's registry."}{" "}
        With <code>--save</code>, the next build stores its image there.
      </p>
      {build.digest && <Digest digest={build.digest} />}
    </>
  );
}
