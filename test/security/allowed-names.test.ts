// Covers how host names are resolved that an operator allows: by the system, as the operator's own tools resolve them. In the
// network namespace alone, because only there the test has a hosts file, search rules and a name server.
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createGuard } from '../../src/server/network/index.js'
import { startNameServer, type NameServer } from './name-server.js'
import { isIsolated } from './victims.js'

const ADDRESS = '10.1.2.3'
const RESOLV_CONF = '/etc/resolv.conf'

const isolated = await isIsolated()
let names: NameServer
let resolvConf: string
let dir: string

beforeAll(async () => {
  if (!isolated) return
  names = await startNameServer((name) => (name === 'wiki.corp.example' ? [ADDRESS] : 'NXDOMAIN'))
  dir = mkdtempSync(join(tmpdir(), 'page-preview-hosts-'))
  const hosts = join(dir, 'hosts')
  writeFileSync(hosts, `127.0.0.1 localhost\n${ADDRESS} nas.hosts.example\n`)
  execFileSync('mount', ['--bind', hosts, '/etc/hosts'])
  resolvConf = readFileSync(RESOLV_CONF, 'utf8')
  writeFileSync(RESOLV_CONF, `${resolvConf}search corp.example\n`)
})
afterAll(async () => {
  if (!isolated) return
  writeFileSync(RESOLV_CONF, resolvConf)
  execFileSync('umount', ['/etc/hosts'])
  rmSync(dir, { recursive: true })
  await names.close()
})

describe.runIf(isolated)('guard: a name that the operator allows', () => {
  it.each([
    ['in the hosts file', 'nas.hosts.example'],
    ['in a search domain', 'wiki'],
  ])('is found %s, and only if it is allowed', async (_, host) => {
    const url = `http://${host}/`
    expect(await createGuard({ allowTargets: [host] }).check(url)).toMatchObject({ hostname: host, address: ADDRESS })
    await expect(createGuard({}).check(url)).rejects.toMatchObject({ code: 'EINVALURL' })
  })
})
