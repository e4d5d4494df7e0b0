/** Of a platform's row, pixels; `.tl-g` in `timeline.css` is as high. */
export const GROUP_HEIGHT = 30;
