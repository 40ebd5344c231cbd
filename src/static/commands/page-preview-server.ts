#!/usr/bin/env node
import { runServerCli } from './index.js'

process.exitCode = await runServerCli(process.argv.slice(2), process)
