import type { JsonReadOptions, JsonWriteOptions } from "@bufbuild/protobuf";

/**
 * As documented: names in snake_case, and unknown names refused. Answers have every field, so that a script need not check
 * whether a field is there.
 */
export const JSON_OPTIONS: Partial<JsonReadOptions & JsonWriteOptions> = {
  useProtoFieldName: true,
  alwaysEmitImplicit: true,
  ignoreUnknownFields: false,
};
