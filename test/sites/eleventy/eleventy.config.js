import pagePreview from 'page-preview-server/eleventy'

export default function configure(config) {
  config.addPassthroughCopy('*.{css,svg}')
  config.addPlugin(pagePreview, { auto: 'p > a:only-child' })
}
