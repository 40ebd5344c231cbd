import { defineConfig } from 'astro/config'
import pagePreview from 'page-preview-server/astro'

export default defineConfig({
  integrations: [pagePreview({ auto: 'p > a:only-child' })],
  markdown: { syntaxHighlight: false },
})
