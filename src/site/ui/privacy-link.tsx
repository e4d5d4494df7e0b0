import type { MouseEvent } from "react";
import { loadReader } from "../telemetry.ts";

/** Opens the three choices in a notice; without JavaScript, or in a new tab, opens the page that has them. */
export function PrivacyLink() {
  const open = (event: MouseEvent) => {
    if (event.metaKey || event.ctrlKey || event.shiftKey) return;
    event.preventDefault();
    loadReader().then(
      ({ openChoices }) => openChoices(),
      () => location.assign("/your-data"),
    );
  };
  return (
    <a href="/your-data" onClick={open}>
      Privacy choices
    </a>
  );
}
