import { expect, it } from 'vitest'
import { createLogger } from '../../../src/server/log/create-logger.js'

it('writes JSON lines in which nothing from outside is obeyed or hidden by a terminal', () => {
  const lines: string[] = []
  const reason = 'a\u001b[2J\u009b2J\u007f\r\n\u202E\u{E0041}z'
  createLogger('info', { write: (line) => void lines.push(line) }).warn({ reason }, reason)
  expect(lines).toHaveLength(1)
  expect(lines[0]).toMatch(/^[ -~]+\n$/)
  expect(JSON.parse(lines[0]!)).toMatchObject({ level: 40, reason, msg: reason })
})
