import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { vi } from 'vitest'
import {
  findServerProgram,
  HAPROXY as HAPROXY_PROGRAM,
  programEnvironment,
  type ServerProgram,
} from '../shared/find-server-program.js'
import { freePort } from '../shared/free-port.js'

/** A load balancer in front of instances of the service. */
export interface Balancer {
  url: string
  stop(): Promise<void>
}

interface BalancerProgram extends ServerProgram {
  config(listenPort: number, instancePorts: readonly number[], dir: string): string
  args(configPath: string, dir: string): string[]
}

/** Without health checks, which only its commercial edition has: a refused connection sends a request to the next instance. */
export const NGINX: BalancerProgram = {
  names: ['nginx', '/usr/sbin/nginx'],
  variable: 'NGINX_PATH',
  package: 'nginx',
  packagePath: 'usr/sbin/nginx',
  versionFlag: '-v',
  config: (listenPort, instancePorts, dir) => `
daemon off;
worker_processes 1;
pid ${dir}/nginx.pid;
error_log stderr;
events {}
http {
  access_log off;
  client_body_temp_path ${dir}/body;
  proxy_temp_path ${dir}/proxy;
  fastcgi_temp_path ${dir}/fastcgi;
  uwsgi_temp_path ${dir}/uwsgi;
  scgi_temp_path ${dir}/scgi;
  upstream previews {
    ${instancePorts.map((port) => `server 127.0.0.1:${port} max_fails=1 fail_timeout=1s;`).join('\n    ')}
    keepalive 16;
  }
  server {
    listen 127.0.0.1:${listenPort};
    location / {
      proxy_pass http://previews;
      proxy_http_version 1.1;
      proxy_set_header Connection "";
      proxy_set_header Host $http_host;
      proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for;
      proxy_read_timeout 35s;
    }
  }
}`,
  args: (configPath, dir) => ['-p', dir, '-e', 'stderr', '-c', configPath],
}

/** With health checks on `/readyz`, every 500 ms; a response that takes longer, as on a busy machine, is waited for. */
export const HAPROXY: BalancerProgram = {
  ...HAPROXY_PROGRAM,
  config: (listenPort, instancePorts) => `
defaults
  mode http
  timeout connect 2s
  timeout client 40s
  timeout server 35s
  timeout check 5s
  option forwardfor
  option redispatch 1
  retries 3
  retry-on conn-failure empty-response
frontend visitors
  bind 127.0.0.1:${listenPort}
  default_backend previews
backend previews
  balance roundrobin
  option httpchk GET /readyz
  default-server check inter 500ms fall 1 rise 1
  ${instancePorts.map((port, index) => `server instance${index} 127.0.0.1:${port}`).join('\n  ')}
`,
  args: (configPath) => ['-db', '-f', configPath],
}

const START_TIMEOUT_MS = 10_000

/** @throws {Error} with the reason when the program cannot be had or does not answer. */
export async function startBalancer(program: BalancerProgram, instancePorts: readonly number[]): Promise<Balancer> {
  const found = await findServerProgram(program)
  if ('missing' in found) throw new Error(`There is no ${program.package}: ${found.missing}`)
  const dir = await mkdtemp(join(tmpdir(), 'page-preview-balancer-'))
  const port = await freePort()
  const configPath = join(dir, 'balancer.conf')
  await writeFile(configPath, program.config(port, instancePorts, dir))
  const child = spawn(found.path, program.args(configPath, dir), {
    env: programEnvironment(found.libraryPath),
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let output = ''
  child.stderr.on('data', (chunk) => void (output = (output + String(chunk)).slice(-20_000)))
  const url = `http://127.0.0.1:${port}`
  const answers = () =>
    fetch(`${url}/healthz`).then(
      ({ ok }) => ok,
      () => false,
    )
  await vi.waitUntil(answers, { timeout: START_TIMEOUT_MS, interval: 100 }).catch((cause: unknown) => {
    throw new Error(`${program.package} does not answer: ${output}`, { cause })
  })
  return {
    url,
    async stop() {
      child.kill('SIGTERM')
      if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
      await rm(dir, { recursive: true, force: true })
    },
  }
}
