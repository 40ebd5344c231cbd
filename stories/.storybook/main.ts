import type { StorybookConfig } from '@storybook/react-vite'
import remarkGfm from 'remark-gfm'
import { remarkDocsLinks } from './remark-docs-links.js'

const config: StorybookConfig = {
  framework: {
    name: '@storybook/react-vite',
    options: { builder: { viteConfigPath: 'stories/.storybook/vite.config.ts' } },
  },
  stories: [{ directory: '../docs', files: '**/*.mdx', titlePrefix: 'Docs' }, '../**/*.stories.tsx'],
  staticDirs: [
    { from: '../docs/hosting', to: '/files' },
    { from: '../pictures', to: '/files' },
  ],
  addons: [
    {
      name: '@storybook/addon-docs',
      options: { mdxPluginOptions: { mdxCompileOptions: { remarkPlugins: [remarkGfm, remarkDocsLinks] } } },
    },
    '@storybook/addon-a11y',
    '@storybook/addon-vitest',
  ],
  core: { disableTelemetry: true, disableWhatsNewNotifications: true },
  // It resolves the types of inherited props, which the default does not. Attributes of elements are no props of ours, and
  // parameters of the query language have their own rows.
  typescript: {
    reactDocgen: 'react-docgen-typescript',
    reactDocgenTypescriptOptions: {
      tsconfigPath: '../src/tsconfig.browser.json',
      // The first finds the files, the second recognizes them.
      include: ['../src/react/*.tsx', '**/src/react/*.tsx'],
      shouldExtractLiteralValuesFromEnum: true,
      shouldRemoveUndefinedFromOptional: true,
      propFilter: ({ declarations = [], parent }) =>
        [...declarations, parent].some((source) => source && !source.fileName.includes('node_modules')),
    },
  },
}

export default config
