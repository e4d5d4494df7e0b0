import { useEffect, useRef } from "react";
import type { TablePages } from "./table-types.ts";

/** Reads the next page when the end comes near. */
export function MoreRows({
  hasMore,
  isLoading,
  loadMore,
}: Pick<TablePages<never>, "hasMore" | "isLoading" | "loadMore">) {
  const end = useRef<HTMLOutputElement>(null);
  useEffect(() => {
    if (!hasMore || isLoading || !end.current) return;
    const observer = new IntersectionObserver(
      (entries) => entries.some((entry) => entry.isIntersecting) && loadMore(),
      {
        rootMargin: "800px",
      },
    );
    observer.observe(end.current);
    return () => observer.disconnect();
  }, [hasMore, isLoading, loadMore]);
  return (
    <output ref={end} className="table-more">
      {isLoading && "Loading more..."}
    </output>
  );
}
