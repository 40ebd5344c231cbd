// Covers public addresses of the machine itself, against the built service in its own network namespace.
import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'

const COMMAND = resolve(import.meta.dirname, '../../src/server/dist/static/commands/page-preview-server.js')
/** Of a provider's network, so that nothing but the interface makes it special. */
const OWN = '93.184.215.14'
const OWN_V6 = '2606:2800:21f::14'

/** Serves a page on all addresses, starts the service, requests each URL, and prints statuses and codes as JSON. */
const SCRIPT = `
import { spawn } from 'node:child_process'
import { createServer } from 'node:http'
const [command, dataDir, flags, ...urls] = process.argv.slice(2)
const site = createServer((_, response) => response.end('<title>internal</title>')).listen(8080, '::')
const child = spawn(process.execPath, [command, 'serve', '--port=0', '--pro-port=0', '--allow-unsandboxed', '--data-dir=' + dataDir, ...JSON.parse(flags)], { stdio: ['ignore', 'pipe', 'ignore'] })
let text = ''
for await (const chunk of child.stdout) if ((text += chunk).includes('free=')) break
const free = /free=(\\S+)/.exec(text)[1]
const results = []
for (const url of urls) {
  const response = await fetch(free + '/?' + new URLSearchParams({ url }))
  const { code = 'none' } = await response.json()
  results.push(code)
}
child.kill('SIGTERM')
site.close()
console.log(JSON.stringify(results))
`

const canUnshare = spawnSync('unshare', ['--net', 'ip', 'link', 'set', 'lo', 'up']).status === 0

function requestInNamespace(flags: string[], ...urls: string[]): string[] {
  const dir = mkdtempSync(join(tmpdir(), 'page-preview-security-'))
  try {
    writeFileSync(join(dir, 'script.mjs'), SCRIPT)
    const setUp = `ip link set lo up && ip addr add ${OWN}/32 dev lo && ip -6 addr add ${OWN_V6}/128 dev lo && exec "$@"`
    const program = [process.execPath, join(dir, 'script.mjs'), COMMAND, join(dir, 'data'), JSON.stringify(flags)]
    const output = execFileSync('unshare', ['--net', 'sh', '-c', setUp, 'sh', ...program, ...urls], { timeout: 60_000 })
    return JSON.parse(String(output)) as string[]
  } finally {
    rmSync(dir, { recursive: true, force: true })
  }
}

describe.runIf(canUnshare)('a listener on all addresses of the machine', () => {
  const urls = [`http://${OWN}:8080/`, `http://[${OWN_V6}]:8080/`, `http://[::ffff:${OWN}]:8080/`]

  it('is not read through a public address of the machine', () => {
    expect(requestInNamespace([], ...urls)).toEqual(urls.map(() => 'EFORBIDDENURL'))
  })

  it('is read where the operator allows it', () => {
    expect(requestInNamespace([`--allow-target=${OWN}:8080`], urls[0]!)).toEqual(['none'])
  })
})
