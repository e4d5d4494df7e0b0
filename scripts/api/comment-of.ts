import { type DescField, getOption } from "@bufbuild/protobuf";
import { getComments } from "@bufbuild/protoplugin";
import { max } from "#api/gen/millrace/options/v1/options_pb.ts";

/** @returns the comment above it in `proto/`, in one line, with a field's maximum; the fields of pages have one without writing it */
export function commentOf(desc: Parameters<typeof getComments>[0]): string {
  const written = (getComments(desc).leading ?? "").replace(/\s+/g, " ").trim();
  if (desc.kind !== "field") return written;
  if (written === "") return pageComment(desc);
  const most = getOption(desc, max);
  return most === 0 ? written : written.replace(/\.$/, `, at most \`${most}\`.`);
}

function pageComment(field: DescField): string {
  if (field.name === "page_size") return `How many, at most \`${getOption(field, max)}\`.`;
  if (field.name === "page_token") return "`next_page_token` of the previous page.";
  return field.name === "next_page_token" ? "Empty on the last page." : "";
}
