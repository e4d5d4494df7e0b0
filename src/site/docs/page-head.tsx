interface PageHeadProps {
  title: string;
  lead: string;
  isPreview: boolean;
}

export function PageHead({ title, lead, isPreview }: PageHeadProps) {
  return (
    <header className="doc-title">
      <h1>{title}</h1>
      <p className="lead">{lead}</p>
      {isPreview && <PreviewMark />}
    </header>
  );
}

/** Said once for each part, on the page where readers meet it first; below it, commands carry a mark of their own. */
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
