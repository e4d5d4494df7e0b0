/**
 * For any installation, wide and tall:
 * 1. Every box is drawn once, inside the drawing, and no two overlap. 2. Only the first box is outside the frame.
 * 3. The text of a box fits into it. 4. The tall layout fits a phone of 360 pixels.
 */
import { array, assert, constantFrom, property, record, option } from "fast-check";
import { describe, expect, it } from "vitest";
import { textWidth } from "#docs/components/text-width.ts";
import { placeTall, placeWide } from "./cloud-layout.ts";

const box = record({
  title: constantFrom("Builders", "Control plane", "Records · RDS", "Images · S3"),
  text: option(constantFrom("ECS, two zones", "EC2, amd64 + arm64"), { nil: undefined }),
});
const cloud = record({
  chain: array(box, { minLength: 2, maxLength: 3 }),
  links: array(constantFrom("", "HTTPS", "site, API, registry"), { maxLength: 2 }),
  parts: array(box, { minLength: 1, maxLength: 6 }),
});

describe.each([
  ["wide", placeWide],
  ["tall", placeTall],
])("the %s drawing", (name, place) => {
  it("has every box once, apart from the others, and inside", () => {
    assert(
      property(cloud, (given) => {
        const { boxes, frame, width, height } = place(given);
        expect(boxes).toHaveLength(given.chain.length + given.parts.length);
        boxes.forEach((one, index) => {
          expect(one.x).toBeGreaterThanOrEqual(0);
          expect(one.y).toBeGreaterThanOrEqual(0);
          expect(one.x + one.width).toBeLessThanOrEqual(width);
          expect(one.y + one.height).toBeLessThanOrEqual(height);
          expect(textWidth(one.title, 15)).toBeLessThan(one.width);
          expect(textWidth(one.text ?? "", 13)).toBeLessThan(one.width);
          const isInside =
            one.x > frame.x &&
            one.x + one.width < frame.x + frame.width &&
            one.y > frame.y &&
            one.y < frame.y + frame.height;
          expect(isInside).toBe(index > 0);
          for (const other of boxes.slice(index + 1))
            expect(
              one.x + one.width <= other.x ||
                other.x + other.width <= one.x ||
                one.y + one.height <= other.y ||
                other.y + other.height <= one.y,
            ).toBe(true);
        });
        if (name === "tall") expect(width).toBeLessThanOrEqual(360 - 2 * 15);
      }),
    );
  });
});
