import mdx from '@mdx-js/rollup'
import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

export default defineConfig(({ mode }) =>
  mode === 'wishes'
    ? {
        plugins: [{ enforce: 'pre', ...mdx() }, react(), tailwindcss()],
        build: { outDir: 'dist-wishes', rolldownOptions: { input: 'wishes.html' } },
      }
    : { plugins: [react()] },
)
