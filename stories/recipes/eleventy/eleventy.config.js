/** Use: `{% preview "https://example.com/", "Example" %}`. The layout has to include the script. */
export default function configure(config) {
  config.addShortcode('preview', (url, title = url) => {
    const [href, text] = [url, title].map(escapeHtml)
    return `<page-preview url="${href}" screenshot><a href="${href}">${text}</a></page-preview>`
  })
}

const escapeHtml = (text) => text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
