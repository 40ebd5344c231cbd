// In server components, by the condition `react-server`: the names of `index.ts`, with an asynchronous `PagePreview`.
export type { CardImage, Layout, DisplayUrl, PagePreviewKey } from '../card/index.js'
export { pagePreviewQueryOptions } from './data/page-preview-query-options.js'
export type { PagePreviewQueryOptions } from './data/fetch-preview.js'
export type { PreviewResult, PreviewState, ReadyPreview } from './data/preview-state.js'
export type {
  PreviewDetails,
  PreviewRef,
  UsePagePreviewResult,
  UseSuspensePagePreviewResult,
} from './data/use-preview-data.js'
export { HoverPreview } from './hover-preview.js'
export type { HoverPreviewProps } from './hover-preview.js'
export type { Messages } from './messages/index.js'
export { PagePreviewProvider } from './page-preview-provider.js'
export type { PagePreviewProviderProps } from './page-preview-provider.js'
export { PagePreview } from './server-page-preview.js'
export { PageScreenshot } from './page-screenshot.js'
export type { PageScreenshotProps } from './page-screenshot.js'
export type {
  AppSettings,
  CaptureProps,
  PagePreviewProps,
  PagePreviewQuerySource,
  PartName,
  PreviewOptions,
  QueryProp,
  ResultDetails,
  ScreenshotProp,
  ServerOptions,
  ServiceOptions,
  SourceOptions,
  StylingProps,
} from './props.js'
export { usePagePreview, useSuspensePagePreview } from './use-page-preview.js'
export type { UsePagePreviewOptions } from './use-page-preview.js'
