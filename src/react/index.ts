export type { CardImage, Layout, DisplayUrl, PagePreviewKey } from '../card/index.js'
export { pagePreviewQueryOptions } from './page-preview-query-options.js'
export type { PagePreviewQueryOptions } from './fetch-preview.js'
export type { PreviewResult, PreviewState, ReadyPreview } from './preview-state.js'
export type { PreviewDetails, UsePagePreviewResult, UseSuspensePagePreviewResult } from './use-preview-data.js'
export type { PreviewRef } from './use-proximity.js'
export { HoverPreview } from './hover-preview.js'
export type { HoverPreviewProps } from './hover-preview.js'
export type { HoverSide } from './hover-card.js'
export type { Messages } from './messages/index.js'
export { PagePreviewProvider } from './page-preview-provider.js'
export type { PagePreviewProviderProps } from './page-preview-provider.js'
export { PagePreview } from './page-preview.js'
export { PageScreenshot } from './page-screenshot.js'
export type { PageScreenshotProps } from './page-screenshot.js'
export type {
  AppSettings,
  CaptureProps,
  EmbeddedImage,
  PagePreviewProps,
  PagePreviewQuerySource,
  PartName,
  PreviewOptions,
  QueryProp,
  RefreshDetails,
  ResultDetails,
  ScreenshotProp,
  ServerOptions,
  SourceOptions,
} from './props.js'
export { usePagePreview, useSuspensePagePreview } from './use-page-preview.js'
export type { UsePagePreviewOptions } from './use-page-preview.js'
