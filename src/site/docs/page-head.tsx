interface PageHeadProps {
  title: string;
  lead: string;
  isPreview: boolean;
  isDraft: boolean;
}

export function PageHead({ title, lead, isPreview, isDraft }: PageHeadProps) {
  return (
    <header className="doc-title">
      <h1>{title}</h1>
      <p className="lead">{lead}</p>
      {isDraft && <DraftMark />}
      {isPreview && <PreviewMark />}
    </header>
  );
}

function DraftMark() {
  return (
    <p className="preview-mark">
      <b className="preview">Draft</b>
      <span>
        This page is visible only in development. To publish it, remove <code>draft: true</code>.
      </span>
    </p>
  );
}

/** The mark of a page whose part does not run yet; commands on any page have their own mark. */
function PreviewMark() {
  return (
    <p className="preview-mark">
      <b className="preview">Preview</b>
      <span>
        Does not run yet. See <a href="/docs/core-concepts/what-exists">what exists today</a>.
      </span>
    </p>
  );
}
