#!/usr/bin/env node
import { runServerCli } from './run-server-cli.js'

process.exitCode = await runServerCli(process.argv.slice(2), process)
