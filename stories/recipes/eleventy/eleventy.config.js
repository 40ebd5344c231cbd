/** Use: `{% preview "https://example.com/", "Example" %}`. The layout brings the script. */
export default function configure(config) {
  config.addShortcode('preview', (url, title = url) => {
    const [address, words] = [url, title].map(escapeHtml)
    return `<page-preview url="${address}" screenshot><a href="${address}">${words}</a></page-preview>`
  })
}

const escapeHtml = (text) => text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
