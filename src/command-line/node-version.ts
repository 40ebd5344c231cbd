/**
 * Tells the user if this Node cannot run a command. What imports this file must load everything else afterwards, with `import()`: an old
 * Node fails to parse some of it, and a native module ends its process.
 *
 * @param name  Of the program, for the message.
 * @returns     Whether the command may run; if not, the exit code is set to 2.
 */
export function requireSupportedNode(name: string): boolean {
  const refusal = refusalOfNode(name)
  if (refusal === undefined) return true
  process.stderr.write(`${refusal}\n`)
  process.exitCode = 2
  return false
}

/** A sentence for the user if this Node cannot run something; `undefined` if it can. */
export function refusalOfNode(name: string): string | undefined {
  const version = process.versions.node
  return isSupportedNode(version) ? undefined : `${name} needs Node 22.14, or 24 and newer; this is Node ${version}.`
}

/** @param version  Such as `22.14.0`. @returns  Whether `engines` in the packages allows it. */
export function isSupportedNode(version: string): boolean {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  return (major === 22 && minor >= 14) || major >= 24
}
