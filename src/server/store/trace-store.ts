import { withSpan } from '../tracing/index.js'
import type { Store } from './store.js'

/** Returns a store whose reads and writes of entries and images have spans. */
export const traceStore = <Wrapped extends Store>(store: Wrapped): Wrapped => ({
  ...store,
  readEntry: <Body>(key: string) => withSpan('store.read', () => store.readEntry<Body>(key)),
  writeEntry: (key, entry) => withSpan('store.write', () => store.writeEntry(key, entry)),
  readImage: (name) => withSpan('store.read', () => store.readImage(name)),
  writeImage: (...image) => withSpan('store.write', () => store.writeImage(...image)),
})
