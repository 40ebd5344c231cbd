import { withPagePreview } from 'page-preview-server/vitepress'
import { defineConfig } from 'vitepress'

const config = defineConfig({
  title: 'Field notes',
  cleanUrls: true,
  themeConfig: {
    sidebar: [
      { text: 'Notes', link: '/' },
      { text: 'Layouts', link: '/layouts' },
      { text: 'Links', link: '/links' },
      { text: 'Code', link: '/code' },
    ],
  },
})

export default withPagePreview(config, { auto: 'p > a:only-child' })
