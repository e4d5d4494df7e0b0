import { siteConfig } from "#config";
import { Icon } from "../../ui/icon.tsx";
import { home, isPreview } from "./content.ts";
import type { Product } from "./read-marketing.ts";

const { action } = siteConfig.header;

/** The primary action inside static HTML; `start-marketing.ts` removes the key while shortcuts are switched off. */
function ActionLink() {
  return (
    <a
      className="btn btn-action btn-lg"
      href={action.to}
      aria-keyshortcuts={action.key}
      data-action-key={action.key}
    >
      <span>{action.label}</span>
      <kbd className="btn-key" aria-hidden="true">
        {action.key}
      </kbd>
    </a>
  );
}

type LinkData = Product["docs"];

export function Actions({ docs }: { docs: LinkData }) {
  return (
    <div className="hero-cta">
      <ActionLink />
      <PlainButton {...docs} />
    </div>
  );
}

/** The first button is the action that is possible today: for a part that does not run yet, reading about it. */
export function ProductActions({ product }: { product: Product }) {
  const isToCome = isPreview(product);
  const first = isToCome ? (product.today ?? home.today) : product.docs;
  const [overview] = product.links;
  return (
    <div className="hero-cta">
      <a className="btn btn-action btn-lg" href={first.to}>
        {first.label}
      </a>
      <PlainButton label={isToCome ? "Read how it will work" : "Read how it works"} to={overview.to} />
    </div>
  );
}

function PlainButton({ label, to }: LinkData) {
  return (
    <a className="btn btn-line btn-lg btn-plain" href={to}>
      {label}
    </a>
  );
}

export function MoreLink({ label, to }: { label: string; to: string }) {
  return (
    <a className="more" href={to}>
      {label}
      <Icon name="arrow-right" />
    </a>
  );
}

export const actionKey = action.key;
