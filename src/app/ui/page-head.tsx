import { useEffect, type ReactNode } from "react";
import { Icon } from "./icon.tsx";
import { RangePicker } from "./range-picker.tsx";

interface Exports {
  path: string;
  name: string;
  /** Only lists can be exported as CSV. */
  isList?: boolean;
}

interface Props {
  title: string;
  /** A list of this page's report: path below `/console/api/`, with its query. */
  exports?: Exports;
  hasRange?: boolean;
  /** Above the title. */
  before?: ReactNode;
  children?: ReactNode;
}

export function PageHead({ title, exports, hasRange = true, before, children }: Props) {
  useEffect(() => {
    document.title = `${title} · ${__SITE_NAME__} console`;
  }, [title]);
  return (
    <header className="page-head">
      {before}
      <div className="page-head-row">
        <h1 tabIndex={-1}>{title}</h1>
        <div className="page-tools">
          {exports && <ExportLinks {...exports} />}
          {hasRange && <RangePicker />}
        </div>
      </div>
      {children}
    </header>
  );
}

function ExportLinks({ path, name, isList = true }: Exports) {
  const url = `/console/api/${path}`;
  return (
    <div className="exports">
      {(isList ? ["csv", "json"] : ["json"]).map((format) => (
        <a
          key={format}
          className="btn btn-line btn-sm"
          href={format === "csv" ? `${url}${path.includes("?") ? "&" : "?"}format=csv` : url}
          download={`${name}.${format}`}
          aria-label={`Download ${format.toUpperCase()}`}
        >
          <Icon name="download" />
          {format.toUpperCase()}
        </a>
      ))}
    </div>
  );
}
