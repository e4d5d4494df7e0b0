import { useSyncExternalStore } from "react";
import {
  forgetSearches,
  recentSearches,
  storedSearches,
  subscribeSearches,
} from "../docs/late/search-recents/recent-searches.ts";

/** The recent searches that this browser offers, and how to forget them. */
export function YourSearches() {
  const searches = recentSearches(useSyncExternalStore(subscribeSearches, storedSearches, () => null));
  return (
    <div className="your-copy js-only" data-private>
      {searches.length === 0 ? (
        <p>This browser has no recent searches.</p>
      ) : (
        <>
          <p>This browser offers these searches again and shares them with no one:</p>
          <ul>
            {searches.map((query) => (
              <li key={query}>{query}</li>
            ))}
          </ul>
          <p className="notice-actions">
            <button className="btn btn-line" type="button" onClick={forgetSearches}>
              Erase recent searches
            </button>
          </p>
        </>
      )}
    </div>
  );
}
