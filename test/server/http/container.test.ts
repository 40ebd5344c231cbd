import { execFile } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { readServeOptions, serveOptions } from '../../../src/server/index.js'
import { optionVariable } from '../../../src/server/serve-options.js'
import { localSite } from '../../local-site.js'

const root = resolve(import.meta.dirname, '../../..')
const read = (name: string) => readFileSync(join(root, name), 'utf8')
const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> }
const { bin } = JSON.parse(read('src/server/package.json')) as { bin: Record<string, string> }
const dockerfile = read('Dockerfile')
  .replaceAll(/^#.*\n/gm, '')
  .replaceAll(/\\\n/g, ' ')
const compose = read('compose.yaml')
const variables = new Set(Object.keys(serveOptions).map(optionVariable))
const environment = Object.fromEntries(
  [...dockerfile.matchAll(/\b(PAGE_PREVIEW_\w+)=(\S+)/g)].map(([, name, value]) => [name!, value!]),
)

describe('the Dockerfile', () => {
  it('copies what there is, and what .dockerignore lets through', () => {
    const copied = [...dockerfile.matchAll(/^COPY (?!--from)(.+)$/gm)].flatMap(([, names]) =>
      names!.split(' ').slice(0, -1),
    )
    expect(copied.filter((name) => !existsSync(join(root, name)))).toEqual([])
    const allowed = read('.dockerignore').split('\n')
    expect(allowed[0]).toBe('*')
    expect(copied.filter((name) => !allowed.includes(`!${name.split('/')[0]}`))).toEqual([])
  })

  it('runs scripts and the command that the package has', () => {
    const runScripts = [...dockerfile.matchAll(/npm run ([\w:]+)/g)].map(([, name]) => name!)
    expect(runScripts).toEqual(['build'])
    expect(Object.keys(scripts)).toEqual(expect.arrayContaining(runScripts))
    const [command, path] = Object.entries(bin)[0]!
    expect(dockerfile).toContain(`ln -s /app/src/server/${path} /usr/local/bin/${command}`)
    expect(dockerfile).toContain(`ENTRYPOINT ["tini", "--", "${command}"]`)
  })

  it('tells the service what it understands', () => {
    expect(Object.keys(environment).filter((name) => !variables.has(name))).toEqual([])
    expect(readServeOptions([], environment)).toMatchObject({
      port: 3000,
      proPort: 3001,
      host: '0.0.0.0',
      dataDir: '/data',
    })
    expect(dockerfile).toMatch(/^EXPOSE 3000 3001$/m)
  })

  it('does not run the service, and with it the browser, as root', () => {
    const user = dockerfile.indexOf('\nUSER node\n')
    expect(user).toBeGreaterThan(dockerfile.lastIndexOf('\nFROM '))
    expect(user).toBeLessThan(dockerfile.indexOf('\nENTRYPOINT '))
  })

  it.each([
    [200, 0],
    [503, 1],
  ])('calls a service that says %i healthy with %i', async (status, code) => {
    const [, words] = /^HEALTHCHECK .*? CMD (\[.+\])$/m.exec(dockerfile)!
    const [, ...args] = JSON.parse(words!) as [string, ...string[]]
    const site = await localSite({ '/readyz': (_, response) => void response.writeHead(status).end('{}') })
    const env = { ...process.env, PAGE_PREVIEW_PORT: new URL(site.url).port }
    const ended = await new Promise((end) => {
      execFile(process.execPath, args, { env, timeout: 10_000 }, (error) => end(error?.code ?? 0))
    })
    await site.close()
    expect([ended, site.requests]).toEqual([code, ['GET /readyz']])
  })
})

describe('compose.yaml', () => {
  it('tells the service what it understands, and publishes the ports that it listens at', () => {
    const told = [...compose.matchAll(/^ +(PAGE_PREVIEW_\w+): \$\{\1:-\}$/gm)].map(([, name]) => name!)
    expect(told.length).toBeGreaterThan(0)
    expect(told.filter((name) => !variables.has(name))).toEqual([])
    // What is not set comes as an empty text.
    expect(() => readServeOptions([], Object.fromEntries(told.map((name) => [name, ''])))).not.toThrow()
    for (const port of ['3000', '3001']) expect(compose).toContain(`'${port}:${port}'`)
    expect(compose).toContain(`data:${environment.PAGE_PREVIEW_DATA_DIR}`)
  })

  it('gives Chromium the namespaces that its sandbox is made of, and nothing that only root needs', () => {
    const [, path] = /seccomp=(\S+)/.exec(compose)!
    const { syscalls } = JSON.parse(read(path!)) as { syscalls: { names: string[]; action: string }[] }
    const refused = syscalls.filter(({ action }) => action === 'SCMP_ACT_ERRNO').flatMap(({ names }) => names)
    expect(refused).toEqual(expect.arrayContaining(['mount', 'setns', 'bpf', 'init_module', 'keyctl', 'reboot']))
    expect(refused.filter((name) => /^(clone3?|unshare|chroot)$/.test(name))).toEqual([])
  })
})
