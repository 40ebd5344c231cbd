export { mountPreviews } from './mount-previews.js'
export type { MountedPreviews, MountOptions } from './mount-previews.js'
