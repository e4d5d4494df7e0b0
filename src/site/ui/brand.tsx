import { SiteLink } from "./site-link.tsx";

interface BrandProps {
  name: string;
  isSmall?: boolean;
}

/** The mark is in the page itself, not in the sprite: the first paint has it. */
export function Brand({ name, isSmall = false }: BrandProps) {
  return (
    <SiteLink className={isSmall ? "brand brand-sm" : "brand"} to="/" aria-label={`${name} home`}>
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
      <span>{name}</span>
    </SiteLink>
  );
}
