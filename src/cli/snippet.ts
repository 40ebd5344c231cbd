import { createHash } from 'node:crypto'
import { UsageError, type Command } from '../command-line/index.js'

const TIMEOUT_MS = 10_000

/**
 * Prints the HTML that adds previews to a page: script and stylesheet of this version, with their integrity hashes.
 *
 * @param version  That of this package.
 */
export const snippetCommand = (version: string): Command => ({
  description: `Prints the HTML that adds previews to a page. The service must run this version: the integrity hashes are those of
the files that it serves, so that browsers load nothing else.`,
  usage: [['page-preview snippet https://previews.example.com']],
  options: {},

  async run([service, ...others], { stdout }) {
    if (!service || others.length > 0 || !/^https?:/.test(service) || !URL.canParse(service))
      throw new UsageError('Pass the URL of a service: page-preview snippet https://previews.example.com')
    const base = `${service.replace(/(?<!\/)\/+$/, '')}/v${version}`
    const scriptUrl = `${base}/page-preview.js`
    const stylesUrl = `${base}/page-preview.css`
    const [scriptHash, stylesHash] = await Promise.all([scriptUrl, stylesUrl].map((url) => hashOf(url, version)))
    stdout.write(`<link rel="stylesheet" href="${stylesUrl}" integrity="${stylesHash}" crossorigin>
<script async src="${scriptUrl}" integrity="${scriptHash}" crossorigin></script>
<page-preview url="https://example.com" screenshot><a href="https://example.com">Example</a></page-preview>
`)
    return 0
  },
})

/** @returns  The value of an `integrity` attribute for the file at a URL. */
async function hashOf(url: string, version: string): Promise<string> {
  const response = await fetch(url, { signal: AbortSignal.timeout(TIMEOUT_MS) }).catch((cause: unknown) => {
    throw new Error(`No service responds at ${url}.`, { cause })
  })
  if (!response.ok)
    throw new Error(`${url} responds with HTTP ${response.status}: does the service run version ${version}?`)
  const bytes = new Uint8Array(await response.arrayBuffer())
  return `sha384-${createHash('sha384').update(bytes).digest('base64')}`
}
