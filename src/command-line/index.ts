export { defineCommand, helpRows, helpText, nearestCommand, onStopSignal, runProgram } from './program.js'
export type { Command, CommandEnvironment, CommandProcess, Program } from './program.js'
export {
  choice,
  httpUrl,
  list,
  optionFlag,
  optionVariable,
  readArguments,
  serviceUrl,
  unknownFlag,
  UsageError,
  wholeNumber,
  withVariables,
} from './options.js'
export type { Values } from './options.js'
export { readSecret, secretFileVariable } from './secrets.js'
export { escapeUnprintable, formatTable, printable } from './terminal.js'
export type { TerminalOutput } from './terminal.js'
