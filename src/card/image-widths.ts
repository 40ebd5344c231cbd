import { fields } from '../query/index.js'

/** The widths in pixels in which the service offers a stored image: `?w=640`. An image is never enlarged. */
export const imageWidths = fields['variant.width'].values
