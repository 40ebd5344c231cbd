import { addons } from 'storybook/manager-api'

/** Names that a file name cannot spell. */
const NAMES: Readonly<Record<string, string>> = {
  'chat-and-feeds': 'Chat and feeds',
  'cms-html': 'HTML from a CMS',
  mdx: 'MDX and live code',
  'migrating-from-microlink-react': 'Migrating from @microlink/react',
  nextjs: 'Next.js',
  'react-router': 'React Router and Remix',
  'signed-urls': 'Signed URLs',
  systemd: 'systemd',
}

addons.setConfig({
  sidebar: {
    renderLabel: ({ name, type }) => (type === 'story' ? name : (NAMES[name] ?? sentenceCase(name))),
  },
})

/** `getting-started` as `Getting started`; names of stories have no hyphens. */
const sentenceCase = (name: string) => name.replaceAll('-', ' ').replace(/^[a-z]/, (letter) => letter.toUpperCase())
