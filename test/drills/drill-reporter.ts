// Prints at the end what visitors saw during each drill.
import type { Reporter, TestModule } from 'vitest/node'
import { formatTable } from '../shared/format-table.js'

export default class DrillReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const reports = modules.flatMap((module) =>
      [...module.children.allTests()].flatMap((test) => test.meta().drill ?? []),
    )
    if (reports.length === 0) return
    const rows = reports.map(({ name, sent, failed, mayFail, wrong, slowestMs, figure = '' }) =>
      [name, sent, failed, mayFail, wrong, `${Math.round(slowestMs)} ms`, figure].map(String),
    )
    console.log(
      `\n${formatTable([['drill', 'sent', 'failed', 'may fail', 'wrong', 'slowest', 'measured'], ...rows]).join('\n')}`,
    )
  }
}
