import { sveltekit } from '@sveltejs/kit/vite'
import pagePreview from 'page-preview-server/vite'
import { defineConfig } from 'vite'

export default defineConfig({
  plugins: [sveltekit(), pagePreview({ auto: 'p > a[href^=http]:only-child', dir: 'build' })],
})
