import type { NextConfig } from 'next'
import { dirname } from 'node:path'

const config: NextConfig = {
  cacheComponents: true,
  // What is installed is in the folder above.
  turbopack: { root: dirname(import.meta.dirname) },
}

export default config
