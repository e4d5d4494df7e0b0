import type { Row } from "./rows.ts";

/** Keys have spaces and slashes; two that differ in those alone do not stand in one list. */
export const optionId = ({ key }: Row) => `command-${key.replaceAll(/[^\w-]/g, "_")}`;
