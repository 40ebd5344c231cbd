import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { chromiumEnvironment } from '../../../src/server/browser/chromium-environment.js'
import { ensureChromium } from '../../../src/server/browser/index.js'
import { startTestBrowser } from './test-browser.js'

it('uses an external browser, and leaves it running', async () => {
  const chromium = await ensureChromium()
  const profile = await mkdtemp(join(tmpdir(), 'page-preview-other-browser-'))
  const flags = ['--headless', '--no-sandbox', '--remote-debugging-port=0', `--user-data-dir=${profile}`]
  const other = spawn(chromium.path, flags, {
    detached: true,
    env: chromiumEnvironment(chromium),
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  const exited = once(other, 'exit')
  try {
    let stderr = ''
    for await (const text of other.stderr.setEncoding('utf8')) if ((stderr += text).includes('ws://')) break
    const test = await startTestBrowser({ '/': '<h1>Hello</h1>' }, { executable: /ws:\S+/.exec(stderr)![0] })
    expect(await test.capture('/')).toMatchObject({ statusCode: 200 })
    expect(test.browser.pid()).toBeUndefined()
    await test.close()
    expect(other.exitCode).toBeNull()
  } finally {
    // The whole group, because a wrapper script may have launched the browser.
    process.kill(-other.pid!, 'SIGKILL')
    await exited
    await rm(profile, { recursive: true, force: true, maxRetries: 5 })
  }
})
