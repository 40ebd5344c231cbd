// What the package exports as `page-preview-server/freeze`.
export { findPreviews, freeze, FreezeError, freezeHtml, openPreviews, scriptFiles } from './freeze/index.js'
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
  OpenPreviewsOptions,
  CardRequest,
  Previews,
  PageWarning,
  PreviewWarning,
  ScriptFile,
  SkippedPart,
  SkippedPreview,
  TextFile,
} from './freeze/index.js'
