export { fields } from './fields.js'
export type { Parameter, ParameterName, ScreenshotParameter } from './fields.js'
export type {
  Candidate,
  ExplainedDocument,
  ExplainedLayer,
  ExplainedRequest,
  Explanation,
  Media,
  PageCandidates,
  PageChange,
  PageData,
  PageHistory,
  PageResponse,
  PageState,
  PageText,
  PageVersion,
  Screenshot,
  ScreenshotTile,
} from './page-response.js'
export { PageError, errorCodes, isPageError } from './page-error.js'
export type { ErrorCode, PageErrorOptions } from './page-error.js'
export type {
  Device,
  Duration,
  ImageOptions,
  ImageType,
  OverlayOptions,
  PageQuery,
  ScreenshotOptions,
  TitleOptions,
  VariantOptions,
  ViewportOptions,
} from './page-query.js'
export { cacheKey, parseQuery, requestUrl, writeQuery } from './parsed-query.js'
export type { Endpoint, ParsedQuery, QueryChanges, QueryInput } from './parsed-query.js'
