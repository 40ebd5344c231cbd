import { defineConfig } from 'vite'

/** Stories are built from source, without the configuration of the library's build. */
export default defineConfig({ define: { __VERSION__: '"storybook"' } })
