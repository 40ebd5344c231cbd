export { dominantColour, palette } from './prominent-colours.js'
export type { Colour } from './prominent-colours.js'
