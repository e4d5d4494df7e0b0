import type { ComponentProps } from "react";
import { Link } from "react-router";
import { isAppAddress } from "../frame/app-address.ts";

interface Props extends Omit<ComponentProps<"a">, "href"> {
  to: string;
}

/** A link to a screen, or to another page of this server. */
export function AppLink({ to, ...rest }: Props) {
  return isAppAddress(to) ? <Link to={to} {...rest} /> : <a href={to} {...rest} />;
}
