import type { NextConfig } from 'next'

const config: NextConfig = {
  // The repository has its own lockfile in a parent folder.
  turbopack: { root: import.meta.dirname },
}

export default config
