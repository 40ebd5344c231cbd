// Names at the very end what failed, for runs whose other reporters print long tables: logs are often cut.
import { stripVTControlCharacters } from 'node:util'
import type { Reporter, SerializedError, TestModule } from 'vitest/node'

const MAX_ERROR_CHARS = 300

export default class FailedTestsReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], unhandledErrors: readonly SerializedError[]): void {
    const lines = [
      ...modules.flatMap(failureLines),
      ...unhandledErrors.map((error) => line('outside of a test', [error])),
    ]
    if (lines.length > 0) console.log(`\nFailed: ${lines.length}\n${lines.join('\n')}`)
  }
}

/** The failed tests of a file; and the file itself or a suite whose own code or hooks failed, so that its tests did not run. */
function failureLines(module: TestModule): string[] {
  const file = module.relativeModuleId
  const nameOf = ({ fullName }: { fullName: string }) => `${file} > ${fullName}`
  const containers = [
    { name: file, errors: module.errors() },
    ...[...module.children.allSuites()].map((suite) => ({ name: nameOf(suite), errors: suite.errors() })),
  ]
  return [
    ...containers.filter(({ errors }) => errors.length > 0).map(({ name, errors }) => line(name, errors)),
    ...[...module.children.allTests('failed')].map((test) => line(nameOf(test), test.result().errors ?? [])),
  ]
}

const line = (name: string, errors: readonly SerializedError[]) => `- ${name}\n  ${firstLineOf(errors[0])}`

function firstLineOf(error: SerializedError | undefined): string {
  const message = stripVTControlCharacters(error?.message ?? 'no error was reported').trim()
  return message.split('\n', 1)[0]!.slice(0, MAX_ERROR_CHARS)
}
