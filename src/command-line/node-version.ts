/**
 * Tells the user if this Node cannot run a command. What imports this file must load everything else afterwards, with `import()`: an old
 * Node fails to parse some of it, and a native module ends its process.
 *
 * @param name  Of the program, for the message.
 * @returns     Whether the command may run; if not, the exit code is set to 2.
 */
export function requireSupportedNode(name: string): boolean {
  const version = process.versions.node
  if (isSupportedNode(version)) return true
  process.stderr.write(`${name} needs Node 22.14, or 24 and newer; this is Node ${version}.\n`)
  process.exitCode = 2
  return false
}

/** @param version  Such as `22.14.0`. @returns  Whether `engines` in the packages allows it. */
export function isSupportedNode(version: string): boolean {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  return (major === 22 && minor >= 14) || major >= 24
}
