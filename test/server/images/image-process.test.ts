import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'

const SCRIPT = join(import.meta.dirname, '../../../src/server/images/image-process.ts')

it('ends when its parent has ended before it was ready', async () => {
  const child = fork(SCRIPT, ['500000000'], { execArgv: process.execArgv, stdio: 'ignore' })
  onTestFinished(() => void child.kill('SIGKILL'))
  child.disconnect()
  expect(await once(child, 'exit')).toEqual([null, 'SIGKILL'])
})
