// Covers what a page that takes over Chromium finds, against the built service.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startAttackedService, type AttackedService } from './attacked-service.js'

const COMMAND = resolve(import.meta.dirname, '../../src/server/dist/static/commands/page-preview-server.js')

/** Processes started by a process, and by those. */
function descendantsOf(pid: number): number[] {
  const parents = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      try {
        return [
          {
            pid: Number(name),
            parent: Number(/^PPid:\s+(\d+)/m.exec(readFileSync(`/proc/${name}/status`, 'utf8'))?.[1]),
          },
        ]
      } catch {
        return []
      }
    })
  const children = parents.filter(({ parent }) => parent === pid).map((each) => each.pid)
  return [...children, ...children.flatMap(descendantsOf)]
}

/** What `/proc` says of a process; nothing when it has ended meanwhile, as renderers do. */
function readProcess(pid: number): { environment: string; command: string; status: string }[] {
  try {
    const [environment = '', command = '', status = ''] = ['environ', 'cmdline', 'status'].map((name) =>
      readFileSync(`/proc/${pid}/${name}`, 'latin1'),
    )
    return [{ environment, command, status }]
  } catch (error) {
    if (['ENOENT', 'ESRCH'].includes((error as NodeJS.ErrnoException).code ?? '')) return []
    throw error
  }
}

describe.runIf(process.platform === 'linux')('a taken-over Chromium', () => {
  let service: AttackedService
  beforeAll(async () => {
    const secrets = {
      AWS_SECRET_ACCESS_KEY: 'a-bucket-secret',
      PAGE_PREVIEW_SIGNING_SECRET: 'a-signing-secret-of-at-least-32-characters',
    }
    service = await startAttackedService({ '/': '<h1>A page</h1>' }, [], secrets)
    await service.get({ url: service.site.url, screenshot: 'true' })
  })
  afterAll(() => service.stop())

  it('finds no secret of the service in its environment, is not root and in its sandbox', () => {
    const processes = descendantsOf(service.pid).flatMap(readProcess)
    expect(processes.length).toBeGreaterThan(1)
    for (const { environment, command, status } of processes) {
      expect(environment).not.toMatch(/a-bucket-secret|a-signing-secret/)
      expect(command).not.toContain('--no-sandbox')
      expect(status).not.toMatch(/^Uid:\s+0\b/m)
    }
  })

  it('is reported with its version and age', async () => {
    const { chromium } = (await (await fetch(`${service.url}readyz`)).json()) as { chromium: { version: string } }
    expect(chromium.version).toMatch(/^\d+\./)
    expect(service.log()).toContain('"browser-started"')
  })
})

/** Runs `serve` where no process may create a user namespace, until it ends or is ready. */
async function serveWithoutNamespaces(...flags: string[]): Promise<string> {
  const dataDir = await mkdtemp(join(tmpdir(), 'page-preview-security-'))
  const serve = [
    process.execPath,
    COMMAND,
    'serve',
    '--port=0',
    '--pro-port=0',
    '--demo-port=0',
    `--data-dir=${dataDir}`,
    ...flags,
  ]
  const script = `echo unshared; read go; exec sh -c 'echo 0 > /proc/sys/user/max_user_namespaces && exec ${serve.join(' ')} 2>&1'`
  const child = spawn('unshare', ['--user', 'sh', '-c', script], { stdio: ['pipe', 'pipe', 'ignore'] })
  const exited = once(child, 'exit')
  let output = ''
  try {
    for await (const chunk of child.stdout) {
      output += String(chunk)
      if (output === 'unshared\n') {
        // All users keep their numbers, so that the browser's user exists in the namespace too.
        for (const map of ['uid_map', 'gid_map']) writeFileSync(`/proc/${child.pid}/${map}`, '0 0 65536')
        child.stdin.end('go\n')
      }
      if (output.includes('page-preview ready')) break
    }
  } finally {
    child.kill('SIGTERM')
    await exited
    await rm(dataDir, { recursive: true, force: true })
  }
  return output
}

describe.runIf(process.platform === 'linux' && process.getuid?.() === 0)('a machine without user namespaces', () => {
  it('is refused at the start, with what to do', async () => {
    const output = await serveWithoutNamespaces()
    expect(output).toContain('--allow-unsandboxed')
    expect(output).not.toContain('page-preview ready')
  })

  it.each(['--allow-unsandboxed', '--demo'])('is used with %s, with a warning', async (flag) => {
    const output = await serveWithoutNamespaces(flag)
    expect(output).toContain('browser-unsandboxed')
    expect(output).toContain('page-preview ready')
  })
})
