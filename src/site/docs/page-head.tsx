import type { Availability } from "#content/types.ts";

interface PageHeadProps {
  title: string;
  lead: string;
  availability: Availability;
}

export function PageHead({ title, lead, availability }: PageHeadProps) {
  return (
    <header className="doc-title">
      <h1>{title}</h1>
      <p className="lead">{lead}</p>
      {availability === "preview" && <PreviewMark />}
    </header>
  );
}

/** Says of a page that the part of the service which it documents is not there yet. */
export function PreviewMark() {
  return (
    <p className="preview-mark">
      <b className="preview">Preview</b> This part is not available yet.
    </p>
  );
}
