export { fetchPage } from './fetch-page.js'
export type { FetchedPage, FetchOptions } from './fetch-page.js'
export { readPage } from './read-page.js'
export type { PageReading, ReadOptions } from './read-page.js'
