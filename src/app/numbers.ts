/** Numbers in English. Without `Intl` where possible, for the reason given in `dates.ts`. */
import { lazily } from "./lazily.ts";

interface Decimals {
  least?: number;
  most: number;
}

/** `1,234,567`, `84.2`; decimal halves are rounded away from zero. */
export function formatNumber(value: number, { least = 0, most }: Decimals): string {
  // Larger ones lose digits here, smaller ones are written with an exponent.
  const size = Math.abs(value);
  if (!(size < 1e12) || (size < 1e-6 && size > 0) || Object.is(value, -0))
    return formatOdd(value, least, most);
  const rounded = Math.round(Number(`${size}e${most}`));
  const digits = String(rounded).padStart(most + 1, "0");
  const whole = digits.slice(0, digits.length - most).replace(/\B(?=(?:\d{3})+$)/g, ",");
  let decimals = digits.slice(digits.length - most);
  while (decimals.length > least && decimals.endsWith("0")) decimals = decimals.slice(0, -1);
  return `${value < 0 ? "-" : ""}${whole}${decimals && `.${decimals}`}`;
}

const formatters = lazily(() => new Map<string, Intl.NumberFormat>());

function formatOdd(value: number, least: number, most: number): string {
  const key = `${least} ${most}`;
  const options = { minimumFractionDigits: least, maximumFractionDigits: most };
  const format = formatters().get(key) ?? new Intl.NumberFormat("en", options);
  formatters().set(key, format);
  return format.format(value);
}
