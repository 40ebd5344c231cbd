export { pagePreviewQueryOptions, prefetchPagePreview } from './data/index.js'
export type {
  PreviewResult,
  DisplayUrl,
  PagePreviewKey,
  PagePreviewQueryOptions,
  PagePreviewQuerySource,
  CardImage,
  PreviewDetails,
  PreviewState,
  ReadyPreview,
  ServiceOptions,
  SourceOptions,
  UsePagePreviewResult,
  UseSuspensePagePreviewResult,
} from './data/index.js'
export { HoverPreview } from './hover-preview.js'
export type { HoverPreviewProps } from './hover-preview.js'
export { LinkPreview } from './link-preview.js'
export type { LinkPreviewProps } from './link-preview.js'
export type { Messages } from './messages/index.js'
export { PagePreviewBoundary } from './page-preview-boundary.js'
export type { PagePreviewBoundaryProps, PagePreviewFailure } from './page-preview-boundary.js'
export { PagePreview } from './page-preview.js'
export type { Layout, PagePreviewProps } from './page-preview-props.js'
export { PagePreviewProvider } from './page-preview-provider.js'
export type { PagePreviewProviderProps } from './page-preview-provider.js'
export { PageScreenshot } from './page-screenshot.js'
export type { PageScreenshotProps } from './page-screenshot.js'
export type { PartComponents, PartName, PartProps } from './preview-elements.js'
export { usePagePreview } from './use-page-preview.js'
export type { UsePagePreviewOptions } from './use-page-preview.js'
export { useSuspensePagePreview } from './use-suspense-page-preview.js'
