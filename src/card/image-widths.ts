/** The widths in CSS pixels in which the service offers a stored image: `?w=640`. An image is never enlarged. */
export const imageWidths = [320, 640, 960, 1280, 1920] as const
