import { Mark } from "#ui/mark.tsx";
import { SiteLink } from "./site-link.tsx";

interface BrandProps {
  name: string;
  isSmall?: boolean;
}

/** The mark and the name, as a link to the home page. */
export function Brand({ name, isSmall = false }: BrandProps) {
  return (
    <SiteLink className={isSmall ? "brand brand-sm" : "brand"} to="/" aria-label={`${name} home`}>
      <Mark />
      <span>{name}</span>
    </SiteLink>
  );
}
