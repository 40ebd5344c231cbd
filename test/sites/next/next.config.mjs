import createMDX from '@next/mdx'

const withMDX = createMDX({
  options: { rehypePlugins: [['page-preview-server/rehype', { auto: 'p > a:only-child' }]] },
})

export default withMDX({ output: 'export', pageExtensions: ['jsx', 'mdx'] })
