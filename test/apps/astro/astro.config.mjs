import react from '@astrojs/react'
import { defineConfig } from 'astro/config'

export default defineConfig({
  integrations: [react()],
  build: { inlineStylesheets: 'never' },
  // Astro hydrates its islands with inline scripts and an inline style, and adds their hashes to the policy itself.
  experimental: { csp: { directives: ["default-src 'self'"] } },
})
