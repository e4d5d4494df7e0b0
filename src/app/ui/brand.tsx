/** The mark and the name; the mark's shape is the site's. */
export function Brand() {
  return (
    <span className="brand">
      <svg
        className="mark"
        viewBox="0 0 32 32"
        fill="none"
        stroke="currentColor"
        strokeWidth="5"
        aria-hidden="true"
      >
        <path d="M5.5 29V5.5H13A14 14 0 0 1 27 19.5V29" />
        <path d="M5.5 16.5H12A4.25 4.25 0 0 1 16.25 20.75V29" />
      </svg>
      {__SITE_NAME__}
      <span className="brand-part">Console</span>
    </span>
  );
}
