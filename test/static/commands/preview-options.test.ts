import { expect, it } from 'vitest'
import { terminalOutput } from '../../../src/command-line/terminal.js'
import { warningLog } from '../../../src/static/commands/preview-options.js'

function recordedLog(isTTY: boolean) {
  let text = ''
  const log = warningLog(terminalOutput({ isTTY, write: (part) => (text += String(part)) }))
  return { log, text: () => text }
}

it('writes each kind of warning once, and nothing less severe', () => {
  const { log, text } = recordedLog(false)
  log.debug({}, 'debug')
  log.info({ event: 'browser-started' }, 'browser')
  log.warn({ event: 'browser-launch-failed', reason: 'Error: no such file \u001b[2J' }, 'browser')
  log.warn({ event: 'browser-launch-failed', reason: 'again' }, 'browser')
  log.warn({ event: 'browser-outdated', advice: 'install another' }, 'browser')
  log.error({ error: 'disk' }, 'the store failed')
  log.warn({ event: 'request-failed' }, 'request failed')
  expect(text()).toBe(
    'page-preview-server: browser-launch-failed: Error: no such file  [2J\n' +
      'page-preview-server: browser-outdated: install another\n' +
      'page-preview-server: the store failed: disk\n',
  )
})

it('writes over the progress bar of a terminal', () => {
  const { log, text } = recordedLog(true)
  log.warn({ event: 'x', reason: 'y' }, 'z')
  expect(text()).toBe('\r\u001b[Kpage-preview-server: x: y\n')
})
