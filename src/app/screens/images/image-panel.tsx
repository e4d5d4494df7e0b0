import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useEffect, useEffectEvent, useRef } from "react";
import type { Image, ImageServiceGetResponse, Project } from "#api/gen/json-types.ts";
import { useOrganization } from "../../data/organization.ts";
import { cutText } from "../../format.ts";
import { Ago } from "../../ui/ago.tsx";
import { CodeLine } from "../../ui/code-line.tsx";
import { CopyIconButton } from "../../ui/copy-icon-button.tsx";
import { Failure } from "../../ui/failure.tsx";
import { Icon } from "../../ui/icon.tsx";
import { acceptsKey } from "../../ui/keys/accepts-key.ts";
import { Loading } from "../../ui/loading.tsx";
import { Facts } from "../settings/side-panel.tsx";
import { ImageLayers } from "./image-layers.tsx";
import { imageQuery } from "./image-queries.ts";
import { addressOfImage, cutDigest, describeAttached, isDigest, shortDigest } from "./image-words.ts";
import { repositoryAddress } from "./push-commands.tsx";

interface Props {
  project: Project;
  /** A tag or a digest, from the address. */
  reference: string;
  /** The table's row; absent: it was not read, or is filtered out. */
  row: Image | undefined;
  onOpen: (reference: string) => void;
  /** "tag", "delete". */
  onAsk: (question: string) => void;
  onClose: () => void;
}

/** On narrow screens the panel lies over the page, like a dialog. */
const SHEET = "(max-width: 1199px)";

/** The details of one image, next to the table. */
export function ImagePanel({ project, reference, row, onOpen, onAsk, onClose }: Props) {
  const { name: organization } = useOrganization();
  const { data, error, refetch } = useQuery(imageQuery(organization, project.id, reference));
  const image = data?.image ?? row;
  const name = isDigest(reference) ? shortDigest(reference) : cutText(reference, 128);
  const { panel, title } = useSheet(onClose);
  return (
    <aside ref={panel} className="panel image-panel" aria-label={`Image ${name}`}>
      <div className="panel-header">
        <h2 ref={title} className="row" tabIndex={-1}>
          <span className={isDigest(reference) ? "tag line" : "tag"}>
            <bdi className="clip">{name}</bdi>
          </span>
          {image && !isDigest(reference) && <span className="mono subtle">{shortDigest(image.digest)}</span>}
        </h2>
        <button
          className="icon-button small end"
          type="button"
          aria-label="Close the details"
          onClick={onClose}
        >
          <Icon name="x" />
        </button>
      </div>
      {data === null ? (
        <p className="panel-body">
          There is no image <bdi className="mono">{name}</bdi> in {organization}/{project.name}. It may have
          been deleted, or it was a saved build that has expired.
        </p>
      ) : (
        <>
          <div className="panel-body section">
            <CodeLine
              command={`docker pull ${addressOfImage(repositoryAddress(organization, project), reference)}`}
            />
            {image && <ImageFacts {...{ image, reference, onOpen }} details={data} />}
          </div>
          {data ? (
            <ImageLayers platforms={data.platforms} />
          ) : error ? (
            <Failure what={`The layers of ${name}`} error={error} onRetry={() => void refetch()} />
          ) : (
            <div className="image-wait">
              <Loading what="its layers" />
            </div>
          )}
          {/* Shown together with the layers above, or with the error in their place: the buttons never move under a pointer. */}
          {image && (data || error) && <Buttons name={name} onAsk={onAsk} />}
        </>
      )}
    </aside>
  );
}

/** When the panel covers the list, it takes the focus; Esc closes it from inside. */
function useSheet(onClose: () => void) {
  const panel = useRef<HTMLElement>(null);
  const title = useRef<HTMLHeadingElement>(null);
  const close = useEffectEvent(onClose);
  useEffect(() => {
    if (matchMedia(SHEET).matches) title.current?.focus({ preventScroll: true });
    const listen = (event: KeyboardEvent) => {
      if (event.key !== "Escape" || !acceptsKey(event)) return;
      if (event.target instanceof Node && panel.current?.contains(event.target)) close();
    };
    addEventListener("keydown", listen);
    return () => removeEventListener("keydown", listen);
  }, []);
  return { panel, title };
}

interface FactsProps {
  image: Image;
  reference: string;
  details: ImageServiceGetResponse | undefined;
  onOpen: (reference: string) => void;
}

function ImageFacts({ image, reference, details, onOpen }: FactsProps) {
  const facts: [string, ReactNode][] = [
    [
      "Digest",
      <span key="digest" className="row">
        <span className="mono clip" title={image.digest}>
          {cutDigest(image.digest)}
        </span>
        <CopyIconButton text={image.digest} label="Copy the digest" />
      </span>,
    ],
    ...(image.tags.length > 1 || isDigest(reference)
      ? [["Tags", <OtherTags key="tags" {...{ image, reference, onOpen }} />] as [string, ReactNode]]
      : []),
    ["Built by", <BuiltBy key="built" image={image} />],
    ["Commit", <Commit key="commit" sha={details?.commit_sha} />],
    ["Last pull", <LastPull key="pull" image={image} />],
    ["Attached", details ? describeAttached(details.referrers) : "…"],
    ["Kept", <Kept key="kept" image={image} />],
  ];
  return <Facts facts={facts} />;
}

const TAGS_SHOWN = 20;

/** All names of the image; its digest selects all of them for deletion. */
function OtherTags({ image: { tags, digest }, reference, onOpen }: Omit<FactsProps, "details">) {
  if (tags.length === 0) return <span className="subtle">none</span>;
  return (
    <span className="row wrap image-names">
      {tags.slice(0, TAGS_SHOWN).map((tag) => (
        <button
          key={tag}
          className="tag"
          type="button"
          aria-pressed={tag === reference}
          onClick={() => onOpen(tag)}
        >
          <bdi className="clip">{tag}</bdi>
        </button>
      ))}
      {tags.length > TAGS_SHOWN && <span className="subtle">and {tags.length - TAGS_SHOWN} more</span>}
      {tags.length > 1 && (
        <button
          className="tag line"
          type="button"
          aria-pressed={isDigest(reference)}
          onClick={() => onOpen(digest)}
        >
          all
        </button>
      )}
    </span>
  );
}

function BuiltBy({ image: { build_id: build } }: { image: Image }) {
  return build ? (
    <bdi className="mono">{cutText(build, 60)}</bdi>
  ) : (
    <span className="subtle">not built by this server</span>
  );
}

function Commit({ sha }: { sha: string | undefined }) {
  if (sha === undefined) return "…";
  if (sha === "") return <span className="subtle">unknown</span>;
  const text = cutText(sha, 200);
  return (
    <span className="row">
      <bdi className="mono clip" title={text}>
        {/^[0-9a-f]{40,64}$/.test(sha) ? sha.slice(0, 7) : cutText(sha, 28)}
      </bdi>
      <CopyIconButton text={sha} label="Copy the commit" />
    </span>
  );
}

function LastPull({ image: { pulled_at: at, pulled_by: by } }: { image: Image }) {
  if (!at) return <span className="subtle">never</span>;
  return (
    <>
      <Ago at={at} />
      {by && (
        <>
          , <bdi className="mono">{cutText(by, 60)}</bdi>
        </>
      )}
    </>
  );
}

function Kept({ image: { tags, expires_at: until } }: { image: Image }) {
  if (until)
    return (
      <>
        until <Ago at={until} />
      </>
    );
  return tags.length > 0 ? "while a tag names it" : "until the next collection";
}

function Buttons({ name, onAsk }: { name: string; onAsk: (question: string) => void }) {
  return (
    <div className="row image-actions">
      <button className="btn" type="button" onClick={() => onAsk("tag")}>
        <Icon name="tag" />
        Add a tag
      </button>
      <button
        className="btn danger end"
        type="button"
        aria-label={`Delete ${name}…`}
        onClick={() => onAsk("delete")}
      >
        <span className="clip">
          Delete <bdi>{name}</bdi>
        </span>
        …
      </button>
    </div>
  );
}
