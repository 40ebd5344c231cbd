import react from '@astrojs/react'
import { defineConfig } from 'astro/config'

export default defineConfig({
  integrations: [react()],
  build: { inlineStylesheets: 'never' },
  // Astro starts its islands from inline scripts, and lays them out by an inline style: it tells their hashes itself.
  experimental: { csp: { directives: ["default-src 'self'"] } },
})
