import { useQuery, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, type RefObject, useId, useRef, useState } from "react";
import { useNavigate } from "react-router";
import type { Image, Project } from "#api/gen/json-types.ts";
import { call } from "../../data/call.ts";
import { useOrganization } from "../../data/organization.ts";
import { useAction } from "../../data/use-action.ts";
import { addressOf } from "../../page/places.ts";
import { Dialog } from "../../ui/dialog.tsx";
import { Field } from "../../ui/field.tsx";
import { FormButtons } from "../../ui/form-buttons.tsx";
import { imageQuery } from "./image-queries.ts";
import { explainTag, isDigest, isNamed, shortDigest } from "./image-words.ts";

interface Props {
  project: Project;
  reference: string;
  /** The images read so far: to warn about a tag that moves. */
  images: readonly Image[];
  onClose: () => void;
}

/** Adds a name to an image. */
export function AddTagDialog({ project, reference, images, onClose }: Props) {
  const { name: organization } = useOrganization();
  const { data } = useQuery(imageQuery(organization, project.id, reference));
  const form = useId();
  const field = useRef<HTMLInputElement>(null);
  const [tag, setTag] = useState("");
  const { isBusy, error, run, clear } = useAction();
  const addTag = useAddTag(project);
  const wrong = tag === "" ? undefined : explainTag(tag);
  const name = isDigest(reference) ? shortDigest(reference) : reference;
  const add = (event: FormEvent) => {
    event.preventDefault();
    if (explainTag(tag)) return field.current?.focus();
    // Uses the digest: the tag may have moved since the page was read.
    void run(() => addTag({ reference: data?.image?.digest ?? reference, tag }));
  };
  return (
    <Dialog
      title={
        <>
          Add a tag to <bdi>{name}</bdi>
        </>
      }
      onClose={onClose}
      initialFocus={field}
      footer={
        <FormButtons form={form} isBusy={isBusy} onClose={onClose}>
          Add the tag
        </FormButtons>
      }
    >
      <form id={form} className="section" noValidate onSubmit={add}>
        <TagField
          {...{ field, tag }}
          hint={hintOf(tag, images, data?.image)}
          error={wrong ?? error?.message}
          onTag={(next) => {
            setTag(next);
            clear();
          }}
        />
      </form>
    </Dialog>
  );
}

/** @returns a function that adds the tag and shows the image under it */
function useAddTag({ id, name: project }: Project) {
  const { name: organization } = useOrganization();
  const navigate = useNavigate();
  const client = useQueryClient();
  return async ({ reference, tag }: { reference: string; tag: string }) => {
    await call("ImageService/Tag", { project_id: id, reference, tag }, { organization });
    await client.invalidateQueries({ queryKey: ["images", organization] });
    const query = new URLSearchParams(window.location.search);
    query.delete("do");
    query.set("tag", tag);
    const to = `${addressOf(organization, `images/${encodeURIComponent(project)}`)}?${query}`;
    void navigate(to, { replace: true, preventScrollReset: true });
  };
}

interface FieldProps {
  field: RefObject<HTMLInputElement | null>;
  tag: string;
  hint: string;
  error: string | undefined;
  onTag: (tag: string) => void;
}

function TagField({ field, tag, hint, error, onTag }: FieldProps) {
  return (
    <Field label="Tag" hint={hint} error={error}>
      {(control) => (
        <input
          {...control}
          ref={field}
          className="input small mono"
          value={tag}
          maxLength={200}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          onChange={(event) => onTag(event.target.value)}
        />
      )}
    </Field>
  );
}

/** Whether another image loses the tag. */
function hintOf(tag: string, images: readonly Image[], own: Image | undefined): string {
  const former = tag === "" ? undefined : images.find((image) => isNamed(image, tag));
  if (!former) return "A tag that already exists moves to this image.";
  if (former.digest === own?.digest) return "The image already has this tag.";
  return `${tag} now points to ${shortDigest(former.digest)}: it moves to this image.`;
}
