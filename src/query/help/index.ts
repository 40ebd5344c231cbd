export {
  ALLOW_HOSTS_HEADER,
  checkHosts,
  MAX_HOST_LIST_CHARS,
  parseHostList,
  refuseApiKeys,
  withoutApiKey,
} from './access.js'
export type { HostList } from './access.js'
export { completeUrl } from '../written-url.js'
export { DAY_MS } from '../fields.js'
export { canRetry, invalidParameter } from '../page-error.js'
export { durationMs } from '../parameter-values.js'
export { foldDeviceName } from '../parsed-query.js'
export { errorBody, errorCauses, errorHelp } from './error-help.js'
export { hasLongHost } from './has-long-host.js'
export { nearestName } from './nearest-name.js'
export {
  isParameter,
  isScreenshotOption,
  parameterFlag,
  parameterGroups,
  parameterHelp,
  queryLimits,
  switchableFields,
} from './parameter-help.js'
export { parameterSchema } from './parameter-schema.js'
export { nearestParameter, parseSearch, unknownParameters, withNearestParameter } from './parse-search.js'
export type { ParsedSearch } from './parse-search.js'
export { MAX_QUERIES, MAX_QUERY_CHARS, NDJSON_TYPE, readQueryList, readRequestBody, resultLines } from './query-list.js'
