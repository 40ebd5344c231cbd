export { queryOptionsFor } from './page-preview-query-options.js'
