export { freeze } from './freeze.js'
export { FreezeError } from './write-file.js'
export type { PreviewEvent, OpenPreviewsOptions } from './previews.js'
export type { FreezeOptions } from './freeze.js'
export type { FailedLink, FreezeResult } from './freeze.js'
export type { PageWarning, SiteOptions, SkippedPart } from './site.js'
export { findPreviews, freezeHtml, scriptFiles, toCardRequest } from './markup/index.js'
export type {
  FindPreviewsOptions,
  FoundPreview,
  FreezeHtmlOptions,
  FrozenFile,
  FrozenHtml,
  FrozenImage,
  FrozenPreview,
  CardRequest,
  PreviewWarning,
  ScriptFile,
  SkippedPreview,
  TextFile,
} from './markup/index.js'
export { DEFAULT_CACHE, DEFAULT_LOCK, openPreviews } from './previews.js'
export type { Previews } from './previews.js'
export { openAssets } from './assets.js'
export { scanSite } from './site.js'
export { openPreviewCache } from './preview-cache.js'
export type { Lock, LockEntry } from './lock-entry.js'
export { lockKeyOf } from './lock.js'
export { readLock } from './lock.js'
export { writeFile } from './write-file.js'
export { watchFolder } from './watch-folder.js'
