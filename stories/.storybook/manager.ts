import { addons } from 'storybook/manager-api'
import { create } from 'storybook/theming'

/** Names that a file name cannot spell. */
const NAMES: Readonly<Record<string, string>> = {
  'chat-and-feeds': 'Chat and feeds',
  'cms-html': 'HTML from a CMS',
  'keys-and-signed-urls': 'Keys and signed URLs',
  mdx: 'MDX and live code',
  'migrating-from-microlink-react': 'Migrating from @microlink/react',
  nextjs: 'Next.js',
  'react-router': 'React Router and Remix',
  systemd: 'systemd',
  'without-react': 'Without React',
}

addons.setConfig({
  theme: create({ base: 'light', brandTitle: 'Page Preview' }),
  sidebar: {
    // Roots come after everything without one, but the documentation comes first.
    showRoots: false,
    renderLabel: ({ name, type }) => (type === 'story' ? name : (NAMES[name] ?? sentenceCase(name))),
  },
})

/** `getting-started` as `Getting started`; names of stories have no hyphens. */
const sentenceCase = (name: string) => name.replaceAll('-', ' ').replace(/^[a-z]/, (letter) => letter.toUpperCase())
