import { type DescField, getOption } from "@bufbuild/protobuf";
import { getComments } from "@bufbuild/protoplugin";
import { max } from "#api/gen/millrace/options/v1/options_pb.ts";

/** @returns the comment above it in `proto/`, in one line; the fields of pages have one without writing it */
export function commentOf(desc: Parameters<typeof getComments>[0]): string {
  const written = (getComments(desc).leading ?? "").replace(/\s+/g, " ").trim();
  return written === "" && desc.kind === "field" ? pageComment(desc) : written;
}

function pageComment(field: DescField): string {
  if (field.name === "page_size") return `How many, at most \`${getOption(field, max)}\`.`;
  if (field.name === "page_token") return "`next_page_token` of the previous page.";
  return field.name === "next_page_token" ? "Empty on the last page." : "";
}
