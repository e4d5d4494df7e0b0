import type { SpoiledCache } from "#api/gen/json-types.ts";
import { plural } from "../../format.ts";

/** "1 image", "More than 100 images". */
export const countImages = ({ images, has_more_images: hasMore }: SpoiledCache): string =>
  `${hasMore ? "More than " : ""}${plural(images.length, "image")}`;
