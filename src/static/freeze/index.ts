export { freeze, pageUrls } from './freeze.js'
export { FreezeError } from './freeze-error.js'
export type { FreezeOptions, PreviewEvent, OpenPreviewsOptions } from './freeze-options.js'
export type { FailedLink, FreezeResult, PageWarning, SkippedPart } from './freeze-result.js'
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
export { DEFAULT_CACHE, DEFAULT_LOCK, openPreviews } from './open-previews.js'
export type { Previews } from './open-previews.js'
export { openAssets } from './site/open-assets.js'
export { scanSite } from './site/scan-site.js'
export { openPreviewCache } from './cache/open-preview-cache.js'
export type { Lock, LockEntry } from './lock/lock-entry.js'
export { lockKeyOf } from './lock/lock-key.js'
export { readLock } from './lock/read-lock.js'
export { writeFile } from './write-file.js'
export { watchFolder } from './watch-folder.js'
