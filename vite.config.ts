import { readFileSync } from 'node:fs'
import { defineConfig } from 'vite'
import { commandBuild, libraryBuild, playgroundBuild, serverBuild } from './src/tools/build-packages.js'
import { scriptTagBuild } from './src/tools/build-script-tag.js'
import { isTestRun, slowProjects, testProjects, testRuns } from './src/tools/test-runs.js'

const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string }
const define = { __VERSION__: JSON.stringify(version) }

export default defineConfig(async ({ mode }) => {
  if (isTestRun(mode)) return { define, test: testRuns[mode] }
  switch (mode) {
    case 'test':
      // More than the two cores that machines of CI have, because most tests wait for browsers and servers.
      return { define, test: { projects: await testProjects(), maxWorkers: 3 } }
    case 'slow':
      return { define, test: { projects: await slowProjects(), maxWorkers: 1 } }
    case 'embed':
      return scriptTagBuild(define)
    case 'cli':
      return commandBuild(define)
    case 'server':
      return serverBuild(define)
    case 'playground':
      return playgroundBuild(define)
    default:
      return libraryBuild(define)
  }
})
