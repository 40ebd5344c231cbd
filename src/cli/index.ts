#!/usr/bin/env node
import { requireSupportedNode } from '../command-line/node-version.js'

if (requireSupportedNode('page-preview')) {
  const { runCli } = await import('./run-cli.js')
  process.exitCode = await runCli(process.argv.slice(2), process)
}
