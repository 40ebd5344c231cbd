import createMDX from '@next/mdx'
import type { NextConfig } from 'next'
import { dirname } from 'node:path'

const config: NextConfig = {
  // What is installed is in the folder above.
  turbopack: { root: dirname(import.meta.dirname) },
  pageExtensions: ['ts', 'tsx', 'mdx'],
}

export default createMDX()(config)
