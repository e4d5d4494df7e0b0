import { Link, useSearchParams } from "react-router";
import { withParams } from "../../data/address.ts";
import { findRange, RANGES } from "./range.ts";

/** Links, because the range is in the address. */
export function RangePicker() {
  const [params] = useSearchParams();
  const current = findRange(params.get("range"));
  return (
    <nav className="segmented" aria-label="Range">
      {RANGES.map((range) => (
        <Link
          key={range.key}
          to={withParams(params, { range: range.key }) || "?"}
          aria-current={range.key === current.key ? "true" : undefined}
        >
          <span className="vh">The last </span>
          {range.label}
        </Link>
      ))}
    </nav>
  );
}
