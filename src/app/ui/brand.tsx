import { Mark } from "#ui/mark.tsx";

/** The mark, the product's name, and which part of it this is. */
export function Brand() {
  return (
    <span className="brand">
      <Mark />
      {__SITE_NAME__}
      <span className="brand-part">Console</span>
    </span>
  );
}
