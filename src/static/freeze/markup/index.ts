export { findPreviews } from './find-previews.js'
export { freezeHtml } from './freeze-html.js'
export type {
  FindPreviewsOptions,
  FoundPreview,
  FreezeHtmlOptions,
  FrozenHtml,
  PreviewWarning,
  SkippedPreview,
  TextFile,
} from './freeze-html-options.js'
export { scriptFiles } from './script-files.js'
export type { ScriptFile } from './script-files.js'
export type { FrozenFile, FrozenImage, FrozenPreview } from './frozen-preview.js'
export { imageFieldOf, toCardRequest } from './card-request.js'
export type { CardRequest } from './card-request.js'
