/** Height of a platform's row, pixels; same as `.tl-g` in `timeline.css`. */
export const GROUP_HEIGHT = 30;
