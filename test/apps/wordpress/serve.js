// WordPress itself with the recipe as a plugin, in one process: its PHP runs in Node, its files and its database are in memory.
import { getPHPLoaderModule } from '@php-wasm/node-8-3'
import { loadPHPRuntime, PHP, PHPRequestHandler } from '@php-wasm/universal'
import { once } from 'node:events'
import { createReadStream, statSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'

const { PAGE_PREVIEW_SERVICE = 'http://127.0.0.1:3000', PORT = '0' } = process.env
const builds = new URL('node_modules/@wp-playground/wordpress-builds/', import.meta.url)
const recipe = new URL('../../../stories/recipes/wordpress/', import.meta.url)
const plugin = '/wp-content/plugins/page-preview/'
const types = { css: 'text/css', js: 'text/javascript', svg: 'image/svg+xml', woff2: 'font/woff2' }

let lastResponse = Promise.resolve()
const server = createServer((request, response) => {
  const file = fileOf(new URL(request.url, url).pathname)
  if (file) {
    response.setHeader('content-type', types[file.split('.').at(-1)] ?? 'application/octet-stream')
    createReadStream(file).pipe(response)
  } else {
    // The one PHP instance handles one request at a time.
    const previous = lastResponse
    lastResponse = respond(request, response, previous)
  }
}).listen(Number(PORT), '127.0.0.1')
await once(server, 'listening')
const url = `http://127.0.0.1:${server.address().port}`
const wordpress = await install()
console.log(`Ready at ${url}: log in as admin with "password", or as author with "author"`)

/** Files other than PHP, which the web server sends without WordPress. */
function fileOf(path) {
  const file = path.startsWith(plugin)
    ? new URL(path.slice(plugin.length), recipe)
    : new URL(`public/wp-6.5${path}`, builds)
  return !path.endsWith('.php') && statSync(file, { throwIfNoEntry: false })?.isFile() ? fileURLToPath(file) : undefined
}

async function respond(request, response, previous) {
  const { method, url, headers } = request
  const body = await buffer(request)
  await previous
  const { httpStatusCode, headers: sent, bytes } = await wordpress.request({ method, url, headers, body })
  response.writeHead(httpStatusCode, sent).end(bytes)
}

async function install() {
  const php = new PHP(await loadPHPRuntime(await getPHPLoaderModule()))
  const constants = { WP_HOME: url, WP_SITEURL: url, DISABLE_WP_CRON: true, WP_HTTP_BLOCK_EXTERNAL: true }
  for (const [name, value] of Object.entries(constants)) php.defineConstant(name, value)
  for (const [name, zip] of Object.entries({
    wordpress: 'wordpress/wp-6.5.zip',
    sqlite: 'sqlite-database-integration/sqlite-database-integration.zip',
  }))
    php.writeFile(`/tmp/${name}.zip`, await readFile(new URL(`src/${zip}`, builds)))
  php.mkdirTree(`/wordpress${plugin}`)
  for (const name of ['page-preview.php', 'block.json', 'block.js']) {
    const text = await readFile(new URL(name, recipe), 'utf8')
    php.writeFile(`/wordpress${plugin}${name}`, text.replaceAll('https://previews.example.com', PAGE_PREVIEW_SERVICE))
  }
  const { text, errors } = await php.run({ code: await readFile(new URL('install.php', import.meta.url), 'utf8') })
  if (text || errors) throw new Error(`WordPress could not be installed: ${text}${errors}`)
  return new PHPRequestHandler({ php, documentRoot: '/wordpress', absoluteUrl: url, cookieStore: false })
}
