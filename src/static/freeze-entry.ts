// What the package exports as `page-preview-server/freeze`.
export { FreezeError } from './files.js'
export { findPreviews, freeze, freezeHtml, openPreviews, scriptFiles } from './freeze/index.js'
export type {
  CardRequest,
  FailedLink,
  Failure,
  FindPreviewsOptions,
  FoundPreview,
  FreezeHtmlOptions,
  FreezeOptions,
  FreezeResult,
  FrozenFile,
  FrozenHtml,
  FrozenImage,
  FrozenPreview,
  OmittedImage,
  OpenPreviewsOptions,
  PageWarning,
  PreviewEvent,
  Previews,
  PreviewWarning,
  ScriptFile,
  SkippedPart,
  SkippedPreview,
  TextFile,
} from './freeze/index.js'
