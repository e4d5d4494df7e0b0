import { useEffect, useRef } from "react";
import type { SearchActionResult } from "#telemetry/index.ts";
import { CopyIconButton } from "../../ui/copy-icon-button.tsx";
import { Icon } from "../../ui/icon.tsx";
import { DiffView } from "./diff-view.tsx";

const patchName = ({ file }: SearchActionResult) => `${file.replaceAll(/[^\w.-]+/g, "-")}.patch`;

/** The file that was written, or a patch to apply. */
export function ActionResult({ result }: { result: SearchActionResult }) {
  const title = useRef<HTMLHeadingElement>(null);
  useEffect(() => title.current?.focus(), []);
  return (
    <div className="section">
      <h3 ref={title} tabIndex={-1}>
        {result.isWritten ? "Written to " : "A patch for "}
        <code>{result.file}</code>
      </h3>
      <p className="text-xs muted">
        {result.isWritten
          ? "Review the change, then commit it. The development server picks it up by itself or after its next start."
          : "The running site does not change itself: apply the patch in the repository, then deploy."}
      </p>
      <DiffView patch={result.patch} />
      {!result.isWritten && (
        <p className="text-xs muted">
          <code>git apply {patchName(result)}</code>
        </p>
      )}
    </div>
  );
}

export function ResultFooter({ result, onClose }: { result: SearchActionResult; onClose: () => void }) {
  const close = (
    <button className="btn" type="button" onClick={onClose}>
      Close
    </button>
  );
  if (result.isWritten) return close;
  return (
    <>
      {close}
      <CopyIconButton text={result.patch} label="Copy the patch" />
      <a
        className="btn"
        download={patchName(result)}
        href={`data:text/x-patch;charset=utf-8,${encodeURIComponent(result.patch)}`}
      >
        <Icon name="download" />
        Download patch
      </a>
    </>
  );
}
