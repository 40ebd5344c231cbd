import type { NextConfig } from 'next'

const config: NextConfig = {
  // The repository has a lockfile of its own in a parent folder.
  turbopack: { root: import.meta.dirname },
}

export default config
