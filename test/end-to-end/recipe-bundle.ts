import { svelte } from '@sveltejs/vite-plugin-svelte'
import vue from '@vitejs/plugin-vue'
import { join } from 'node:path'
import { build, type Rolldown } from 'vite'
import solid from 'vite-plugin-solid'

const recipes = join(import.meta.dirname, '../../stories/recipes')

/** How each framework mounts and unmounts a component. */
const ENTRIES: Readonly<Record<string, string>> = {
  vue: `import { createApp } from 'vue'
    import Reading from '${recipes}/vue/reading.vue'
    window.mount = (target, props) => { const app = createApp(Reading, props); app.mount(target); return () => app.unmount() }`,
  svelte: `import { mount, unmount } from 'svelte'
    import Reading from '${recipes}/svelte/reading.svelte'
    window.mount = (target, props) => { const app = mount(Reading, { target, props }); return () => unmount(app) }`,
  solid: `import { createComponent, render } from 'solid-js/web'
    import { Reading } from '${recipes}/solid/reading.jsx'
    window.mount = (target, props) => render(() => createComponent(Reading, props), target)`,
}

const ENTRY = 'entry:'

export const frameworks = Object.keys(ENTRIES)

/** Compiles the components of the recipes as a production build would: paths and scripts, one `/FRAMEWORK.js` each. */
export async function bundleRecipes(): Promise<[path: string, script: string][]> {
  const result = await build({
    configFile: false,
    logLevel: 'silent',
    root: recipes,
    plugins: [
      {
        name: 'entries',
        enforce: 'pre',
        resolveId: (id) => (id.startsWith(ENTRY) ? id : undefined),
        load: (id) => (id.startsWith(ENTRY) ? ENTRIES[id.slice(ENTRY.length)] : undefined),
      },
      vue({ template: { compilerOptions: { isCustomElement: (tag) => tag === 'page-preview' } } }),
      svelte({ configFile: false }),
      solid({ include: /solid\/.*\.jsx$/ }),
    ],
    build: {
      write: false,
      rolldownOptions: {
        input: Object.fromEntries(frameworks.map((name) => [name, ENTRY + name])),
        output: { entryFileNames: '[name].js' },
      },
    },
  })
  const { output } = result as Rolldown.RolldownOutput
  return output.flatMap((file): [string, string][] => (file.type === 'chunk' ? [[`/${file.fileName}`, file.code]] : []))
}
