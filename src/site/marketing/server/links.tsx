import { siteConfig } from "#config";
import { Icon } from "../../ui/icon.tsx";

const { action } = siteConfig.header;

/** The primary action inside static HTML; `start-marketing.ts` takes the key off while shortcuts are switched off. */
export function ActionLink() {
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

export function Actions({ docs }: { docs: { label: string; to: string } }) {
  return (
    <div className="hero-cta">
      <ActionLink />
      <a className="btn btn-line btn-lg btn-plain" href={docs.to}>
        {docs.label}
      </a>
    </div>
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
