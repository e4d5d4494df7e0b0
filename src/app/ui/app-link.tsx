import type { ComponentProps } from "react";
import { Link } from "react-router";
import { isAppAddress } from "./app-address.ts";

interface Props extends Omit<ComponentProps<"a">, "href"> {
  to: string;
}

/** A link to a screen, or to another page of this server. */
export function AppLink({ to, children, ...rest }: Props) {
  if (!isAppAddress(to))
    return (
      <a href={to} {...rest}>
        {children}
      </a>
    );
  return (
    <Link to={to} {...rest}>
      {children}
    </Link>
  );
}
