import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Address, ask } from '../dns/server.harness.ts'
import { until } from './poll.ts'
import { freePort } from '../../packages/server/test/support/ports.ts'

export interface Resolver {
  address: string
  at: Address
  close(): Promise<void>
}

/** A real resolver on a loopback address that forwards everything below `test.` to these servers, without cache. */
export async function startUnbound(host: string, servers: readonly Address[]): Promise<Resolver> {
  const directory = await mkdtemp(join(tmpdir(), 'panel-unbound-'))
  const at = { address: host, port: await freePort() }
  const file = join(directory, 'unbound.conf')
  await writeFile(
    file,
    `server:
  interface: ${at.address}@${at.port}
  do-daemonize: no
  username: ""
  chroot: ""
  directory: "${directory}"
  pidfile: "${join(directory, 'unbound.pid')}"
  use-syslog: no
  verbosity: 0
  qname-minimisation: no
  harden-referral-path: no
  num-threads: 1
  module-config: "iterator"
  do-not-query-localhost: no
  access-control: 127.0.0.0/8 allow
  cache-max-ttl: 0
  cache-max-negative-ttl: 0
  infra-host-ttl: 0
  local-zone: "test." nodefault
remote-control:
  control-enable: no
stub-zone:
  name: "test."
${servers.map(({ address, port }) => `  stub-addr: ${address}@${port}\n`).join('')}  stub-prime: no
`
  )
  const child: ChildProcess = spawn('unbound', ['-d', '-c', file], { stdio: 'ignore' })
  await until(
    () => ask(at, 'localhost', 'A'),
    ({ status }) => status === 'NOERROR'
  )
  return {
    address: `${host}:${at.port}`,
    at,
    async close() {
      const ended = once(child, 'exit')
      child.kill()
      await ended
      await rm(directory, { recursive: true })
    }
  }
}
