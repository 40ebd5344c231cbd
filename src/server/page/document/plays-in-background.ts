import type { Attributes } from './attributes.js'

/** Whether a video plays by itself, in a loop and without sound: an animation rather than something to watch. */
export const playsInBackground = ({ autoplay, loop, muted, controls }: Attributes): boolean =>
  [autoplay, loop, muted].every((flag) => flag !== undefined) && controls === undefined
