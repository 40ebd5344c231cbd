import { defineConfig } from 'vite'

/** Stories are built from source, without the configuration of the library's build. */
export default defineConfig({
  define: { __VERSION__: '"storybook"' },
  // Vite does not find them before the first story is opened, and then reloads the page in the middle of its imports.
  optimizeDeps: { include: ['react/jsx-dev-runtime', '@tanstack/react-query'] },
})
