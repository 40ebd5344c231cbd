export { mainColour, palette } from './prominent-colours.js'
export type { Colour } from './prominent-colours.js'
