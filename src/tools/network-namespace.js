// @ts-check
// Plain JavaScript, because set-up.js runs it.
import { spawnSync } from 'node:child_process'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/**
 * Sets up a network that ends in this machine: private addresses that servers can listen on, a range of public addresses that
 * are reached but belong to no interface, and a DNS server that a test has to start. `$1` is the file for `resolv.conf`.
 */
const SET_UP = `
set -e
ip link set lo up
ip addr add 10.1.2.3/32 dev lo
ip link add wan type veth peer name peer
ip addr add 10.1.2.4/24 dev wan
ip link set wan up
ip link set peer up
ip addr add 169.254.169.254/32 dev lo
ip addr add fd00::1/128 dev lo nodad
ip route add local 93.184.215.0/24 dev lo
printf 'nameserver 127.0.0.53\\noptions timeout:2 attempts:1\\n' > "$1"
mount --bind "$1" /etc/resolv.conf
rm "$1"
shift
exec "$@"
`

/**
 * The command that runs another one in a network namespace of its own, from which nothing outside can be reached.
 *
 * @returns {string[] | undefined} To be put in front of a command; `undefined` where this system or user has no such namespaces.
 */
export function networkNamespaceCommand() {
  if (process.platform !== 'linux') return undefined
  const resolvConf = join(tmpdir(), `page-preview-resolv-${process.pid}`)
  const candidates = [
    ['--net', '--mount'],
    ['--net', '--mount', '--map-root-user'],
  ].map((flags) => ['unshare', ...flags, '--', 'sh', '-c', SET_UP, 'sh', resolvConf])
  return candidates.find(([command = '', ...args]) => spawnSync(command, [...args, 'true']).status === 0)
}
