interface IconProps {
  /** Lucide's name, or with `brand` that of a Simple Icons mark; it must be in `sprite.ts`. */
  name: string;
  brand?: boolean;
  className?: string;
}

/** An icon of the sprite, hidden from assistive technology: the control around it has a label. */
export function Icon({ name, brand = false, className = "" }: IconProps) {
  return (
    <svg className={`${brand ? "tech" : "icon"} ${className}`.trim()} aria-hidden="true">
      <use href={`${__SPRITE_URL__}#${brand ? "s" : "l"}-${name}`} />
    </svg>
  );
}
