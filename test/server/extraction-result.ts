import type { ExtractionResult } from '../../src/server/results/extraction-result.js'

/** The result of a page that responds with its content. */
export const goodResult: ExtractionResult = {
  data: { url: 'https://example.com/' },
  statusCode: 200,
  headers: {},
  redirects: [],
  warnings: [],
  fetchMode: 'fetch',
  timings: {},
}
