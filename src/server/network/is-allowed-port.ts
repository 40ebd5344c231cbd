/** Ports from 1024 on of services that an HTTP request could attack. The usual ports of development servers stay allowed. */
const SERVICE_PORTS: readonly (readonly [service: string, ...ports: number[]])[] = [
  ['SOCKS and HTTP proxies', 1080, 3128],
  ['Java RMI, debugger', 1099, 5005],
  [
    'databases',
    1433,
    1434,
    1521,
    3050,
    3306,
    5432,
    5433,
    5984,
    7474,
    7687,
    8086,
    9042,
    9160,
    26257,
    28015,
    33060,
    50000,
  ],
  ['MongoDB', 27017, 27018, 27019, 28017],
  ['Redis, memcached', 6379, 6380, 16379, 26379, 11211],
  ['search engines', 9200, 9300],
  ['queues', 1883, 4222, 5671, 5672, 8883, 9092, 9093, 15672, 25672, 61613, 61616],
  ['cluster coordination', 2181, 2379, 2380, 4001, 7946, 8300, 8301, 8302, 8500, 8501, 8600],
  ['containers', 2375, 2376, 2377, 5555, 6443, 10250, 10255, 10256],
  ['secrets, configuration', 4505, 4506, 8200, 8201],
  ['files', 2049, 3260, 4045, 8020, 9870, 50070, 50075],
  ['mail, news, chat', 2525, 5222, 5269, 6660, 6661, 6662, 6663, 6664, 6665, 6666, 6667, 6668, 6669, 6697],
  ['telephony', 1719, 1720, 5060, 5061],
  ['remote desktops and shells', 1723, 2222, 3389, 5900, 5901, 5902, 5903, 5985, 5986, 6000, 6001],
  ['debuggers of browsers and Node', 9222, 9229],
  ['printers, build and version control', 3632, 3690, 4369, 9100, 9418],
]

const BLOCKED_PORTS = new Set(SERVICE_PORTS.flatMap(([, ...ports]) => ports))

/** Whether pages may be fetched from this port: 80, 443, and 1024–65535 without the well-known service ports. */
export function isAllowedPort(port: number): boolean {
  return port === 80 || port === 443 || (port >= 1024 && port <= 65_535 && !BLOCKED_PORTS.has(port))
}
