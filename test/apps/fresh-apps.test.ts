// Covers the snippets of README.md and the documentation as a new user meets them: word for word but for addresses, in new apps
// of Vite, with the React Compiler, and of Next, and against the service that npx starts; all of it from the packed packages.
import { execFile } from 'node:child_process'
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Browser, Page } from 'puppeteer-core'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readDocs, type CodeBlock } from '../docs/read-docs.js'
import { freePort } from '../shared/free-port.js'
import { launchChromium } from '../shared/launch-chromium.js'
import { appServer } from './app-server.js'
import { appDir, buildApp } from './build-app.js'
import { listenAsHost, type AppHost } from './listen-as-host.js'
import { dataDirOf, emptyFolder, installPackages, startWithNpx, type NpxService } from './npx-service.js'
import { openApp } from './open-app.js'
import { runNpm } from './run-npm.js'
import { WAIT_OPTIONS } from './until-card.js'

const { LIBRARY_TARBALL, SERVER_TARBALL } = process.env as Record<string, string>
const MODES = ['development', 'production'] as const

const pages = readDocs()
const blocksOf = (page: string, ...languages: string[]) =>
  pages.find(({ path }) => path === page)!.blocks.filter(({ language }) => languages.includes(language))

let dir: string
let service: NpxService
let key: string
/** A page of the sample site. */
let target: string
let chromium: Browser

beforeAll(async () => {
  dir = await emptyFolder()
  await installPackages(dir, LIBRARY_TARBALL!, SERVER_TARBALL!)
  const create = ['exec', '--no', '--', 'page-preview-server', 'keys', 'create', '--name=Apps']
  const { stdout } = await runNpm(dir, [...create, `--data-dir=${dataDirOf(dir)}`])
  key = /pp_[\w-]+/.exec(stdout)![0]
  service = await startWithNpx(dir, 'page-preview-server')
  const examples = (await (await fetch(`${service.free}/playground/examples.json`)).json()) as { url: string }[]
  target = `${new URL(examples[0]!.url).origin}/`
  chromium = await launchChromium()
})
afterAll(async () => {
  await chromium.close()
  await service.stop()
  await rm(dir, { recursive: true })
})

/** The code with the addresses of this test in place of the default ports and of those that only a reader has. */
function withOwnAddresses(code: string): string {
  const demo = new URL(target).origin
  return code
    .replaceAll(/http:\/\/127\.0\.0\.1:3000|https:\/\/previews\.example\.com/g, service.free)
    .replaceAll('https://pro.example.com', service.pro)
    .replaceAll('http://127.0.0.1:3002', demo)
    .replaceAll(/http%3A%2F%2F127\.0\.0\.1%3A3002/g, encodeURIComponent(demo))
    .replaceAll(/https%3A%2F%2Fexample\.com(%2F)?/g, encodeURIComponent(target))
    .replaceAll(/https:\/\/example\.com\/?/g, target)
    .replaceAll(/(?<=')example\.com(?=')/g, new URL(target).host)
}

describe('a new app of Vite with the React Compiler', () => {
  const app = appDir('fresh-vite')
  const components = ['README.md', 'stories/docs/getting-started.mdx', 'stories/docs/react.mdx'].flatMap(componentsOf)
  /** It stands around those that name no service. */
  const provider = components.find(({ component }) => component === 'Previews')!
  const snippets = components.filter((snippet) => snippet !== provider)

  beforeAll(async () => {
    await writeSnippets(join(app, 'src/snippets'), components)
    await buildApp('fresh-vite')
  })

  it('is clean for ESLint with the rules of React', () => expectLintClean(app))

  describe.each(MODES)('in %s', (mode) => {
    const vite = 'node_modules/vite/bin/vite.js'
    let host: AppHost
    beforeAll(async () => {
      const command = mode === 'development' ? [vite] : [vite, 'preview']
      const port = String(await freePort())
      const args = [...command, '--host=127.0.0.1', `--port=${port}`, '--strictPort']
      host = await appServer(app, args, { NODE_ENV: mode }, /Local: .*\n/)
    })
    afterAll(() => host.close())

    it.each(snippets.map((snippet): [string, Snippet] => [snippet.block, snippet]))(
      'shows what the component at %s promises, with a clean console',
      async (_, { name, code }) => {
        const search = new URLSearchParams({ component: name, url: target })
        if (!code.includes('endpoint=')) search.append('component', provider.name)
        await expectPreviews(`${host.url}/?${search}`, mode)
      },
    )

    if (mode === 'development')
      it('compiles the components with the React Compiler', async () => {
        const sent = await (await fetch(`${host.url}/src/snippets/${snippets[0]!.name}.tsx`)).text()
        expect(sent).toContain('compiler-runtime')
      })
  })
})

describe('a new app of Next', () => {
  const app = appDir('fresh-next')
  const components = ['README.md', 'stories/docs/server-components.mdx'].flatMap(componentsOf)
  /** It is in the layout of the app. */
  const providers = components.find(({ component }) => component === 'Providers')!
  const snippets = components.filter((snippet) => snippet !== providers)
  const [proxy] = blocksOf('stories/docs/proxy.mdx', 'ts')
  const [mount] = pages
    .find(({ path }) => path === 'stories/docs/proxy.mdx')!
    .inlineCode.filter((code) => code.startsWith('export const GET'))

  beforeAll(async () => {
    const shared = [
      { name: 'proxy', code: proxy!.code },
      { name: 'providers', code: providers.code },
    ]
    await writeSnippets(join(app, 'snippets'), [...snippets, ...shared])
    const routes = join(app, 'app/(snippets)')
    await rm(routes, { recursive: true, force: true })
    await writeFiles(join(routes, 'page-preview/[[...path]]'), {
      'route.ts': `import { proxy } from '../../../../snippets/proxy'\n\n${mount}\n`,
    })
    for (const { name, component } of snippets)
      await writeFiles(join(routes, name), {
        'page.tsx': `export { ${component} as default } from '../../../snippets/${name}'\n`,
      })
    await buildApp('fresh-next', { PAGE_PREVIEW_API_KEY: key })
  })

  it('is clean for ESLint with the rules of React and Next', () => expectLintClean(app))

  describe.each(MODES)('in %s', (mode) => {
    let host: AppHost
    beforeAll(async () => {
      const command = ['node_modules/next/dist/bin/next', mode === 'development' ? 'dev' : 'start']
      host = await appServer(app, [...command, '-H', '127.0.0.1', '-p', String(await freePort())], {
        NODE_ENV: mode,
        NEXT_TELEMETRY_DISABLED: '1',
        PAGE_PREVIEW_API_KEY: key,
      })
      // Under development it compiles with the first request, which takes longer than browsers wait on a busy machine.
      await fetch(`${host.url}/${snippets[0]!.name}`)
    })
    afterAll(() => host.close())

    it.each(snippets.map((snippet): [string, Snippet] => [snippet.block, snippet]))(
      'shows what the component at %s promises, with a clean console',
      (_, { name }) => expectPreviews(`${host.url}/${name}`, mode),
    )
  })
})

describe('without an app', () => {
  const html = ['README.md', 'getting-started', 'script-tag', 'without-react']
    .map((page) => (page.endsWith('.md') ? page : `stories/docs/${page}.mdx`))
    .flatMap((page) => blocksOf(page, 'html').slice(0, page.endsWith('script-tag.mdx') ? 1 : 2))
    .map(({ name, code }): [string, string] => [name, code])

  it.each(html)('shows what the HTML at %s promises, with a clean console', async (_, code) => {
    const body = `<!doctype html><html lang="en"><meta charset="utf-8"><title>Mine</title><link rel="icon" href="data:,"><body>${withOwnAddresses(code)}`
    const host = await listenAsHost((_, response) => {
      response.writeHead(200, { 'content-type': 'text/html' })
      response.end(body)
    })
    await expectPreviews(host.url, 'production')
    await host.close()
  })

  it.each(
    blocksOf('stories/docs/getting-started.mdx', 'sh')
      .slice(2)
      .map(({ name, code }): [string, string] => [name, code]),
  )('prints the title of the page with the commands at %s', async (_, code) => {
    expect((await run('sh', ['-ec', withOwnAddresses(code)])).stdout).toContain('Nightjar')
  })

  it.each(
    ['stories/docs/getting-started.mdx', 'stories/docs/react.mdx'].map((page): [string, CodeBlock] => {
      const [block] = blocksOf(page, 'ts')
      return [block!.name, block!]
    }),
  )('prints the title of the page with the program at %s', async (_, { code }) => {
    await writeFile(join(dir, 'program.js'), withOwnAddresses(code))
    expect((await run(process.execPath, ['program.js'])).stdout).toContain('Nightjar')
  })
})

interface Snippet {
  /** `react-1`, for the first of `react.mdx`. */
  name: string
  /** Where it stands. */
  block: string
  code: string
  /** What it exports. */
  component: string
}

/** Every component of a page that stands alone in a file. */
const componentsOf = (page: string): Snippet[] =>
  blocksOf(page, 'tsx').map(({ name, code }, index) => ({
    name: `${/(\w[\w-]*)\.mdx?$/.exec(page)![1]!.toLowerCase()}-${index + 1}`,
    block: name,
    code,
    component: /export (?:async )?(?:function|const) (\w+)/.exec(code)![1]!,
  }))

async function writeSnippets(into: string, snippets: readonly Pick<Snippet, 'name' | 'code'>[]): Promise<void> {
  await rm(into, { recursive: true, force: true })
  await writeFiles(into, Object.fromEntries(snippets.map(({ name, code }) => [`${name}.tsx`, withOwnAddresses(code)])))
}

async function writeFiles(into: string, files: Record<string, string>): Promise<void> {
  await mkdir(into, { recursive: true })
  for (const [name, text] of Object.entries(files)) await writeFile(join(into, name), text)
}

/** Both are empty: no rule is broken and nothing is deprecated. */
async function expectLintClean(app: string): Promise<void> {
  const lint = promisify(execFile)(process.execPath, ['node_modules/eslint/bin/eslint.js', '--max-warnings=0'], {
    cwd: app,
  })
  const result = await lint.catch((error: { stdout: string; stderr: string }) => error)
  expect(result.stdout + result.stderr).toBe('')
}

/** The page shows previews of the sample site, and nothing has complained about anything. */
async function expectPreviews(url: string, mode: (typeof MODES)[number]): Promise<void> {
  const { page, complaints } = await openApp(chromium, url)
  await untilPreviews(page).catch(async (error: unknown) => {
    const text = await page.$eval('body', (body) => body.innerText)
    throw new Error([`No preview: ${text}`, ...complaints].join('\n'), { cause: error })
  })
  await page.waitForNetworkIdle({ idleTime: 100 })
  // In development Vite and React also say what is well, and React mounts everything twice, which aborts the first request.
  const isExpected = /^(debug|info|log): |net::ERR_ABORTED$/
  const counts = mode === 'production' ? complaints : complaints.filter((text) => !isExpected.test(text))
  expect(counts).toEqual([])
  await page.browserContext().close()
}

/** Waits until the page or its frame shows no placeholder and no failure, and a title of the sample site or an image. */
async function untilPreviews(page: Page): Promise<unknown> {
  const iframe = await page.$('iframe')
  const frame = (await iframe?.contentFrame()) ?? page
  return frame.waitForFunction(() => {
    const roots: ParentNode[] = [document]
    for (const { shadowRoot } of document.querySelectorAll('page-preview')) if (shadowRoot) roots.push(shadowRoot)
    const within = (selector: string) => roots.flatMap((root) => [...root.querySelectorAll<HTMLElement>(selector)])
    const images = within('img') as HTMLImageElement[]
    return (
      within('[data-status=loading], [data-status=failed], [data-pending]').length === 0 &&
      images.every((image) => image.complete && image.naturalWidth > 0) &&
      (images.length > 0 || document.body.textContent.includes('Nightjar'))
    )
  }, WAIT_OPTIONS)
}

const run = (command: string, args: string[]) =>
  promisify(execFile)(command, args, { cwd: dir, env: { ...process.env, PAGE_PREVIEW_ENDPOINT: service.free } })
