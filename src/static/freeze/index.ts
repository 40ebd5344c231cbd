export { openAssets } from './assets.js'
export { nearestFile, nearestWebp } from './frozen-preview.js'
export { freeze } from './freeze.js'
export type { FailedLink, FreezeOptions, FreezeResult } from './freeze.js'
export { FreezeError, writeFile } from './freeze-error.js'
export type { Lock, LockEntry } from './lock-entry.js'
export { lockKeyOf, readLock } from './lock.js'
export { findPreviews, freezeHtml, scriptFiles, toCardRequest } from './markup/index.js'
export type {
  CardRequest,
  FindPreviewsOptions,
  FoundPreview,
  FreezeHtmlOptions,
  FrozenFile,
  FrozenHtml,
  FrozenImage,
  FrozenPreview,
  PreviewWarning,
  ScriptFile,
  SkippedPreview,
  TextFile,
} from './markup/index.js'
export { openPreviewCache } from './preview-cache.js'
export { DEFAULT_CACHE, DEFAULT_IMAGE_TYPES, DEFAULT_LOCK, openPreviews } from './previews.js'
export type { OmittedImage, OpenPreviewsOptions, PreviewEvent, Previews } from './previews.js'
export { scanSite } from './site.js'
export type { PageWarning, SiteOptions, SkippedPart } from './site.js'
export { watchFolder } from './watch-folder.js'
