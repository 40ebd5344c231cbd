module.exports = async function configure() {
  const { default: rehypePagePreview } = await import('page-preview-server/rehype')
  const docs = {
    routeBasePath: '/',
    rehypePlugins: [[rehypePagePreview, { auto: 'p > a:only-child', publicDir: 'static' }]],
  }
  return {
    title: 'Field notes',
    url: 'https://notes.example.com',
    baseUrl: '/',
    favicon: 'icon.svg',
    themeConfig: { colorMode: { respectPrefersColorScheme: true } },
    presets: [['@docusaurus/preset-classic', { docs, blog: false, pages: false }]],
  }
}
