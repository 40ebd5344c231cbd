import { defineConfig } from 'vite'

/** Stories are built from source: nothing of the library's own build applies to them. */
export default defineConfig({ define: { __VERSION__: '"storybook"' } })
