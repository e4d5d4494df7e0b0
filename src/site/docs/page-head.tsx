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

/** Shown once for each part, where readers meet it first; commands further down have their own mark. */
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
