import { Link } from "react-router";
import { PageHead } from "../ui/page-head.tsx";

export function MissingPage() {
  return (
    <>
      <PageHead title="No such page" hasRange={false} />
      <p>
        The console has no page at this address. <Link to="/">Open the overview</Link>.
      </p>
    </>
  );
}
