// What the package exports as `page-preview-server/freeze`.
export { findPreviews, freeze, FreezeError, freezeHtml, openPreviews } from './freeze/index.js'
export type {
  FailedLink,
  FindPreviewsOptions,
  FoundPreview,
  FreezeHtmlOptions,
  FreezeOptions,
  FreezeResult,
  FrozenFile,
  FrozenHtml,
  FrozenImage,
  FrozenPreview,
  PreviewEvent,
  PreviewOptions,
  PreviewRequest,
  Previews,
  PageWarning,
  PreviewWarning,
  SkippedPart,
  SkippedPreview,
  TextFile,
} from './freeze/index.js'
