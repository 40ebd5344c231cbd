import { spawn, spawnSync } from 'node:child_process'

/** Where workers run: the addresses of both sides, and the command that runs another one on their side. */
export interface WorkerNetwork {
  /** Of this side, where pages are: each is a site of its own. */
  siteAddresses: readonly string[]
  workerAddress: string
  within: readonly string[]
  /** Whether workers reach nothing but `siteAddresses`. */
  isIsolated: boolean
  close(): void
}

const LOOPBACK: WorkerNetwork = {
  siteAddresses: ['127.0.0.1', '127.0.0.2', '127.0.0.3', '127.0.0.4'],
  workerAddress: '127.0.0.1',
  within: [],
  isIsolated: false,
  close: () => undefined,
}

/** `$1` is the process whose network it is, `$2` and `$3` are interfaces, `$4` the address of workers, and the others those of sites. */
const SET_UP = `
set -e
ip link add "$2" type veth peer name "$3" netns "$1"
nsenter --target "$1" --net sh -c "ip link set lo up && ip addr add $4/28 dev $3 && ip link set $3 up"
interface=$2
shift 4
for address in "$@"; do ip addr add "$address/28" dev "$interface"; done
ip link set "$interface" up
`

/**
 * A network of their own for workers, with one cable to this one and no route: the loopback of this side, where Redis and the bucket
 * listen, is not theirs. The loopback itself if this user may not create networks.
 */
export function createWorkerNetwork(): WorkerNetwork {
  const holder = spawn('unshare', ['--net', 'sleep', '3600'], { stdio: 'ignore' })
  holder.on('error', () => undefined)
  const number = process.pid % 16
  const addressOf = (host: number) => `10.213.77.${number * 16 + host}`
  const siteAddresses = LOOPBACK.siteAddresses.map((_, index) => addressOf(index + 1))
  const workerAddress = addressOf(14)
  const names = [`ppfront${number}`, `ppworker${number}`]
  // `unshare` replaces itself by `sleep` in the new network.
  const hasNetwork = () => spawnSync('sh', ['-c', `[ "$(cat /proc/${holder.pid}/comm)" = sleep ]`]).status === 0
  for (let tries = 0; tries < 50 && !hasNetwork(); tries++) spawnSync('sleep', ['0.05'])
  const setUp = ['-c', SET_UP, 'sh', String(holder.pid), ...names, workerAddress, ...siteAddresses]
  const { status, stderr } = spawnSync('sh', setUp, { encoding: 'utf8' })
  if (status !== 0) {
    holder.kill()
    console.warn(`page-preview: workers share the network of their front, because another cannot be created: ${stderr}`)
    return LOOPBACK
  }
  return {
    siteAddresses,
    workerAddress,
    within: ['nsenter', '--target', String(holder.pid), '--net', '--'],
    isIsolated: true,
    // Both interfaces go with it.
    close: () => void holder.kill(),
  }
}
