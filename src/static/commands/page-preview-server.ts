#!/usr/bin/env node
import { requireSupportedNode } from '../../command-line/node-version.js'

if (requireSupportedNode('page-preview-server')) {
  const { runServerCli } = await import('./index.js')
  process.exitCode = await runServerCli(process.argv.slice(2), process)
}
