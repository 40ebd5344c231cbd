import { readFileSync } from 'node:fs'

/** What all processes of a network namespace have sent, as its kernel counts it. */
export interface SentTraffic {
  /** UDP, to any address and port, multicast included. */
  datagrams: number
  /** TCP connections that were opened, also those that failed. */
  connections: number
}

/** @returns  A function that returns what was sent since. */
export function countTraffic(): () => SentTraffic {
  const before = readTraffic()
  return () => {
    const now = readTraffic()
    return { datagrams: now.datagrams - before.datagrams, connections: now.connections - before.connections }
  }
}

/** @see https://docs.kernel.org/networking/snmp_counter.html */
function readTraffic(): SentTraffic {
  const [udp, tcp] = ['Udp', 'Tcp'].map(readCounters)
  const udp6 = /^Udp6OutDatagrams\s+(\d+)/m.exec(readFileSync('/proc/net/snmp6', 'utf8'))?.[1]
  return { datagrams: udp!('OutDatagrams') + Number(udp6), connections: tcp!('ActiveOpens') }
}

/** Each protocol has a line of names and one of values. */
function readCounters(protocol: string): (name: string) => number {
  const lines = readFileSync('/proc/net/snmp', 'utf8').split('\n')
  const [names = [], values = []] = lines
    .filter((line) => line.startsWith(`${protocol}: `))
    .map((line) => line.split(' '))
  return (name) => Number(values[names.indexOf(name)])
}
