// @ts-check
// The Node that a checkout installs for itself if it does not support the one on this machine. Plain JavaScript that an old Node can
// read.
import { existsSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { installDependencies, root, runProgram } from './checkout.js'

/** A folder with its own lockfile, so that nobody downloads a Node who does not need it. */
const PACKAGE_DIR = join(root, 'src/tools/node-package')
const REMEDY = 'install Node 22.14, or 24 and newer'

/**
 * Whether a version of Node can run the project: as `engines` in `package.json`.
 *
 * @param {string} [version]  Such as `22.14.0`. Default: of this process.
 */
export function isSupportedNode(version = process.versions.node) {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  return (major === 22 && minor >= 14) || major >= 24
}

/**
 * Runs this script once more with a Node that is installed for it from the registry, and that everything it starts finds first.
 *
 * @returns {Promise<number>} Its exit code.
 * @throws Error if there is none for this machine.
 */
export async function runWithOwnNode() {
  const { platform, arch } = process
  const version = process.versions.node
  await installDependencies(PACKAGE_DIR, `Node 24 for this checkout, because Node ${version} is not supported`)
  const name = `node-${platform === 'win32' ? 'win' : platform}-${arch}`
  const node = join(PACKAGE_DIR, 'node_modules', name, 'bin', platform === 'win32' ? 'node.exe' : 'node')
  if (!existsSync(node))
    throw new Error(
      `Node ${version} is not supported, and the registry has no other one for ${platform}-${arch}: ${REMEDY}.`,
    )
  const PATH = [dirname(node), process.env.PATH].filter(Boolean).join(delimiter)
  try {
    return await runProgram(node, process.argv.slice(1), { env: { PATH } })
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw new Error(`Node ${version} is not supported, and another one does not start here (${reason}): ${REMEDY}.`, {
      cause,
    })
  }
}
