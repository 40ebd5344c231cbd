// Prints at the end how many cases of each class passed, and what the attacks cost, so that both can be published.
import type { Reporter, TestCase, TestModule } from 'vitest/node'
import { formatTable } from '../shared/format-table.js'
import { LIMITS, type AttackReport } from './attack-report.js'

interface Count {
  passed: number
  cases: number
}

export default class SecurityReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const tests = modules.flatMap((module) => [...module.children.allTests()])
    const attacks = tests.flatMap((test) => test.meta().attacks ?? [])
    console.log(`\n${countLines(tests).join('\n')}`)
    if (attacks.length > 0) console.log(`\n${attackLines(attacks).join('\n')}`)
  }
}

function countLines(tests: readonly TestCase[]): string[] {
  const counts = new Map<string, Count>()
  for (const test of tests) {
    const name = className(test)
    const { passed, cases } = counts.get(name) ?? { passed: 0, cases: 0 }
    counts.set(name, { passed: passed + (test.result().state === 'passed' ? 1 : 0), cases: cases + 1 })
  }
  const total = tests.filter((test) => test.result().state === 'passed').length
  return formatTable([
    ['class', 'passed', 'cases'],
    ...[...counts].map(([name, { passed, cases }]) => [name, String(passed), String(cases)]),
    ['all', String(total), String(tests.length)],
  ])
}

function attackLines(attacks: readonly AttackReport[]): string[] {
  const { slowestHitMs, longestBusyMs, slowestMetadataMs, maxRssBytes } = LIMITS
  return formatTable([
    ['while attacked by', 'slowest cached hit', 'CPU time in it', 'slowest new metadata', 'memory of the service'],
    ['(limit)', ms(slowestHitMs), ms(longestBusyMs), ms(slowestMetadataMs), megabytes(maxRssBytes)],
    ...attacks.map((attack) => [
      attack.name,
      ms(attack.slowestHitMs),
      ms(attack.longestBusyMs),
      ms(attack.slowestMetadataMs),
      megabytes(attack.maxRssBytes),
    ]),
  ])
}

/** The outermost `describe`; a file without one is a class by its own name. */
function className(test: TestCase): string {
  let name = test.module.relativeModuleId.replace(/^.*\//, '').replace('.test.ts', '').replaceAll('-', ' ')
  for (let { parent } = test; parent.type === 'suite'; { parent } = parent) ({ name } = parent)
  return name
}

const ms = (value: number) => `${Math.round(value)} ms`
const megabytes = (bytes: number) => `${Math.round(bytes / 1e6)} MB`
