import type { QueryClient } from '@tanstack/react-query'
import type { Settings } from '../asking/index.js'

/** What every preview is made with. */
export interface Making {
  settings: Settings
  queryClient: QueryClient
  sheet: CSSStyleSheet
}
