import { Link } from "react-router";
import { LiveMark } from "../ui/live-mark.tsx";
import { usePageFacts } from "./page.tsx";

export function TopBar() {
  const { crumbs } = usePageFacts();
  return (
    <header className="topbar">
      <nav className="crumbs" aria-label="Breadcrumb">
        <ol>
          {crumbs.map(({ label, to }) => (
            <li key={label} aria-current={to ? undefined : "page"}>
              {to ? <Link to={to}>{label}</Link> : <span className="clip">{label}</span>}
            </li>
          ))}
        </ol>
      </nav>
      <LiveMark />
    </header>
  );
}
