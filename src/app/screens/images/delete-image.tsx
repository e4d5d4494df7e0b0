import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useRef } from "react";
import { useNavigate } from "react-router";
import type { Image, ImageServiceGetResponse, Project } from "#api/gen/json-types.ts";
import { call } from "../../data/call.ts";
import { useOrganization } from "../../data/organization.ts";
import { cutText, formatBytes, plural } from "../../format.ts";
import { addressOf } from "../../page/places.ts";
import { ConfirmDialog } from "../../ui/confirm-dialog.tsx";
import { hideToast, showToast } from "../../ui/toast.ts";
import { imageQuery } from "./image-queries.ts";
import { addressOfImage, isDigest, shortDigest } from "./image-words.ts";
import { repositoryAddress } from "./push-commands.tsx";

const UNDO_MS = 10_000;

interface Props {
  project: Project;
  reference: string;
  onClose: () => void;
}

/** Deletes a tag, or by its digest an image with all its tags. Opens once it is known what is deleted with it. */
export function DeleteDialog({ project, reference, onClose }: Props) {
  const { name: organization } = useOrganization();
  const { data } = useQuery(imageQuery(organization, project.id, reference));
  if (!data?.image) return null;
  return <Question {...{ project, reference, onClose }} details={data} image={data.image} />;
}

interface QuestionProps extends Props {
  details: ImageServiceGetResponse;
  image: Image;
}

function Question(props: QuestionProps) {
  const { project, reference, details, image } = props;
  const { name: organization } = useOrganization();
  const { remove, close } = useDelete(props);
  const isAll = isDigest(reference);
  const name = nameOf(reference);
  const frees = isAll || image.tags.length === 1 ? Number(details.freed_bytes) : 0;
  const address = addressOfImage(
    repositoryAddress(organization, project),
    isAll ? `${reference.slice(0, 19)}…` : name,
  );
  return (
    <ConfirmDialog
      title={
        <>
          Delete <bdi className="mono">{name}</bdi> of {organization}/{project.name}?
        </>
      }
      confirm={frees > 0 ? `Delete and free ${formatBytes(frees)}` : "Delete"}
      cancel="Keep it"
      onConfirm={remove}
      onClose={close}
    >
      <p className="image-long">
        <Loss tags={image.tags} reference={reference} /> Anyone who pulls{" "}
        <bdi className="mono">{address}</bdi> gets “not found”.{" "}
        {isAll ? "There is no undo." : "You can undo this for ten seconds."}
      </p>
    </ConfirmDialog>
  );
}

const nameOf = (reference: string) =>
  isDigest(reference) ? shortDigest(reference) : cutText(reference, 128);

function useDelete({ project, reference, onClose, image }: QuestionProps) {
  const { name: organization } = useOrganization();
  const navigate = useNavigate();
  const client = useQueryClient();
  const isDone = useRef(false);
  const name = nameOf(reference);
  const refresh = () => client.invalidateQueries({ queryKey: ["images", organization] });
  const restore = async () => {
    const request = { project_id: project.id, reference: image.digest, tag: reference };
    await call("ImageService/Tag", request, { organization }).then(hideToast, (error: unknown) =>
      showToast({
        text: `${name} stays deleted. ${error instanceof Error ? error.message : String(error)}`,
        isFailure: true,
      }),
    );
    await refresh();
  };
  const remove = async () => {
    const request = { project_id: project.id, reference };
    const answer = await call("ImageService/Delete", request, { organization });
    isDone.current = true;
    const freed = Number(answer.freed_bytes);
    showToast({
      text: `${name} was deleted${freed > 0 ? `: ${formatBytes(freed)} to be freed` : ""}`,
      // A tag's image stays until the next collection: its digest still names it.
      ...(!isDigest(reference) && {
        milliseconds: UNDO_MS,
        action: { label: "Undo", run: () => void restore() },
      }),
    });
  };
  const close = () => {
    if (!isDone.current) return onClose();
    const to = addressOf(organization, `images/${encodeURIComponent(project.name)}`) + restOfSearch();
    void navigate(to, { replace: true, preventScrollReset: true });
    void refresh();
  };
  return { remove, close };
}

/** The deleted image's panel closes with the question. */
function restOfSearch(): string {
  const query = new URLSearchParams(window.location.search);
  for (const name of ["do", "tag", "arch"]) query.delete(name);
  return query.size > 0 ? `?${query}` : "";
}

/** What is deleted, and what stays. */
function Loss({ tags, reference }: { tags: readonly string[]; reference: string }) {
  if (isDigest(reference)) {
    if (tags.length === 0) return "No tag points to this image.";
    const all = tags.length === 1 ? "its tag" : `all its ${plural(tags.length, "tag")}`;
    return (
      <>
        The image is deleted with {all}: <Tags tags={tags} />.
      </>
    );
  }
  const others = tags.filter((tag) => tag !== reference);
  if (others.length === 0)
    return "It is the image’s last tag: without a new tag, the next collection deletes the image.";
  return (
    <>
      The image stays: <Tags tags={others} /> also {others.length === 1 ? "points" : "point"} to it.
    </>
  );
}

const TAGS_NAMED = 5;

/** In a font that makes the point of `1.1` visible. */
function Tags({ tags }: { tags: readonly string[] }) {
  const named = tags.slice(0, TAGS_NAMED).map((tag) => cutText(tag, 60));
  const rest = tags.length - named.length;
  return (
    <>
      <bdi className="mono">{named.join(", ")}</bdi>
      {rest > 0 && ` and ${rest} more`}
    </>
  );
}
