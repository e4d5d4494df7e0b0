/** Facts about a spoiled layer cache: whose images, and since when. Shown until someone dismisses it. */
import { useQueryClient } from "@tanstack/react-query";
import type { Project, SpoiledCache } from "#api/gen/json-types.ts";
import { call } from "../../data/call.ts";
import { useOrganization } from "../../data/organization.ts";
import { useAction } from "../../data/use-action.ts";
import { cutText, formatDateTime } from "../../format.ts";
import { Icon } from "../../ui/icon.tsx";
import { countImages } from "./spoiled-cache-words.ts";

/** The rest is folded. */
const MOST_AT_ONCE = 8;

export function SpoiledCacheNote({ project }: { project: Project }) {
  const { spoiled_cache: spoiled } = project;
  return spoiled ? <Note project={project} spoiled={spoiled} /> : null;
}

function Note({ project, spoiled }: { project: Project; spoiled: SpoiledCache }) {
  const { name: organization } = useOrganization();
  const client = useQueryClient();
  const { isBusy, error, run } = useAction();
  const dismiss = async () => {
    await call(
      "ProjectService/Update",
      { project_id: project.id, clear_spoiled_cache: true },
      { organization },
    );
    await client.invalidateQueries({ queryKey: ["projects", organization] });
  };
  const { since, reset_at: resetAt, images, platforms } = spoiled;
  const hasImages = images.length > 0;
  return (
    <section className="note warn" aria-label="Spoiled layer cache">
      <Icon name="triangleAlert" />
      <div className="grow">
        <b>
          {hasImages
            ? `${countImages(spoiled)} cannot be trusted: build them again`
            : "The layer cache was spoiled and has been reset"}
        </b>
        <p>
          {since && `Since ${formatDateTime(Date.parse(since))}, the`}
          {!since && "The"} files in the layer cache for {platforms.join(" and ")} had different modes from
          those that builds gave them: an earlier release changed them at its start, or a{" "}
          <code>chmod -R</code> did. The cache was reset
          {resetAt && ` on ${formatDateTime(Date.parse(resetAt))}`}, and the next build fills it again.{" "}
          {hasImages
            ? "Images built in between may contain files that no one can run or read, although their builds were reported as succeeded:"
            : "No image was built in between."}
        </p>
        <Images images={images.slice(0, MOST_AT_ONCE)} />
        {images.length > MOST_AT_ONCE && (
          <details>
            <summary>{images.length - MOST_AT_ONCE} more</summary>
            <Images images={images.slice(MOST_AT_ONCE)} />
          </details>
        )}
        {spoiled.has_more_images && <p>Older images are not listed: they come from the builds since then.</p>}
        {error && (
          <p role="alert" className="text-fail">
            {error.message}
          </p>
        )}
        <button className="btn low" type="button" disabled={isBusy} onClick={() => void run(dismiss)}>
          Dismiss
        </button>
      </div>
    </section>
  );
}

function Images({ images }: { images: readonly string[] }) {
  return (
    <ul className="spoiled-images mono">
      {images.map((image) => (
        <li key={image}>
          <bdi>{cutText(image, 200)}</bdi>
        </li>
      ))}
    </ul>
  );
}
