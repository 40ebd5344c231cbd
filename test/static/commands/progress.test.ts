import { expect, it } from 'vitest'
import { terminalOutput } from '../../../src/command-line/terminal.js'
import { createProgress } from '../../../src/static/commands/progress.js'

function recorded({ isTTY = false, columns = 80, total = 4 } = {}) {
  let text = ''
  let time = 0
  const output = terminalOutput({ isTTY, columns, write: (part) => (text += String(part)) })
  const progress = createProgress({ total, output, now: () => time })
  return { progress, text: () => text, wait: (ms: number) => (time += ms) }
}

const lastLines = (text: string) => text.replaceAll('\r\u001b[K', '<erase>')

it('writes a line for each item where there is no terminal', () => {
  const { progress, text } = recorded()
  progress.add('captured https://a.example', 'done')
  progress.add('failed \u001b[2J', 'failed')
  progress.end()
  expect(text()).toBe('[1/4] captured https://a.example\n[2/4] failed  [2J\n')
})

it('draws a bar with counts and the time left on a terminal', () => {
  const { progress, text, wait } = recorded({ isTTY: true })
  wait(1_000)
  progress.add('captured https://a.example', 'done')
  expect(lastLines(text())).toBe('<erase>░░░░░░░░░░░░░░░░░░░░  0/4<erase>█████░░░░░░░░░░░░░░░  1/4  3 s left')
  progress.add('captured https://b.example', 'done')
  expect(text()).not.toContain('2/4')
  progress.add('https://c.example failed', 'failed')
  expect(lastLines(text())).toMatch(/https:\/\/c\.example failed\n<erase>█+░+ {2}3\/4 {2}1 failed {2}1 s left$/)
  progress.end()
  expect(lastLines(text())).toMatch(/<erase>$/)
})

it('tells no time from items that were skipped, and stays within the terminal', () => {
  const { progress, text, wait } = recorded({ isTTY: true, columns: 32, total: 100 })
  wait(100)
  progress.add('', 'skipped')
  expect(text()).toMatch(/1\/100 {2}1 $/)
  wait(90_000)
  progress.add('', 'failed')
  expect(
    Math.max(
      ...text()
        .split('\r\u001b[K')
        .map((line) => line.length),
    ),
  ).toBeLessThan(32)
})

it('takes a terminal that does not tell its width for one of 80 columns', () => {
  const { progress, text, wait } = recorded({ isTTY: true, columns: 0 })
  wait(1_000)
  progress.add('', 'failed')
  expect(text()).toMatch(/1\/4 {2}1 failed {2}3 s left$/)
})

it.each([
  [90_000, '2 min left'],
  [4_000_000, '1 h 7 min left'],
])('writes %i milliseconds as %s', (ms, expected) => {
  const { progress, text, wait } = recorded({ isTTY: true, total: 2 })
  wait(ms)
  progress.add('', 'done')
  expect(text()).toContain(expected)
})
