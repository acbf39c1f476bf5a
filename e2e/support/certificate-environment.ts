import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net'
import { dirname, join } from 'node:path'
import type { Certificate } from '@panel/contract/certificates'
import type { CreatedDomain } from '@panel/contract/domains'
import { proxyDirectories } from '../../packages/server/src/process/paths.ts'
import { findHaproxy } from '../../packages/server/src/infra/reverse-proxy/haproxy-pids.ts'
import { type HaproxyPaths, haproxyPaths } from '../../packages/server/src/infra/reverse-proxy/haproxy-paths.ts'
import { type AuthorityFront, startAuthorityFront } from './authority-front.ts'
import { type DnsEnvironment, startDnsEnvironment } from './dns-environment.ts'
import { type ApiAnswer, type Client, type RunningPanel, startPanel } from './panel.ts'
import { type Pebble, type PebbleOptions, startPebble } from './pebble.ts'
import { until } from './poll.ts'
import { type Handshake, handshake } from './tls-clients.ts'
import { freePort } from '../../packages/server/test/support/ports.ts'

const publicIp = '127.0.0.1'

/** Whether the public address leads to the proxy, to nothing or to another web server. */
export type Ingress = 'open' | 'closed' | 'elsewhere'

export interface CertificateEnvironment {
  panel: RunningPanel
  /** Public DNS as the panel sees it. Pebble uses the panel's own name server. */
  dns: DnsEnvironment
  pebble: Pebble
  /** The panel's certificate authority; Pebble is behind it. */
  front: AuthorityFront
  /** The first account, an administrator. */
  ann: Client
  ingress: Ingress
  /** Another Pebble to pass to `front.use`. It ends with the environment. */
  anotherPebble(options?: Partial<PebbleOptions>): Promise<Pebble>
  newName(label?: string): string
  /** A verified domain with a zone on the panel's name server that resolves to the public address. */
  addManaged(hostname?: string, by?: Client): Promise<CreatedDomain>
  /** Requests a certificate and waits for the result. */
  provision(domainId: string, by?: Client): Promise<Certificate>
  certificateOf(domainId: string, by?: Client): Promise<Certificate>
  orderEnded(domainId: string, by?: Client): Promise<Certificate>
  upload(
    domainId: string,
    files: { chain: string; keyPem: string }
  ): Promise<ApiAnswer<Certificate & { code?: string }>>
  /** Makes the certificate due for renewal. */
  makeDue(domainId: string): Promise<void>
  /** A TLS handshake; trusted if the chain ends at Pebble's root or the given one. */
  shakeHands(hostname: string, rootPem?: string): Promise<Handshake>
  untilServed(hostname: string, certificate: Certificate): Promise<void>
  /** Whether the default certificate is served for the name. */
  isDefaultServed(hostname: string): Promise<boolean>
  writeRoot(): Promise<string>
  proxyPaths(): Promise<HaproxyPaths>
  proxyProcesses(): ReturnType<typeof findHaproxy>
  close(): Promise<void>
}

interface CertificateEnvironmentOptions {
  env?: Record<string, string>
  pebble?: Partial<PebbleOptions>
}

/** A panel with its own name server and proxy, and an authority that sees only these. */
export async function startCertificateEnvironment(
  options: CertificateEnvironmentOptions = {}
): Promise<CertificateEnvironment> {
  const closers: (() => Promise<unknown>)[] = []
  const close = async () => {
    for (const closer of closers.splice(0).reverse()) await closer()
  }
  try {
    return await build(options, closers, close)
  } catch (error) {
    await close()
    throw error
  }
}

async function build(
  options: CertificateEnvironmentOptions,
  closers: (() => Promise<unknown>)[],
  close: () => Promise<void>
): Promise<CertificateEnvironment> {
  const dns = await startDnsEnvironment()
  closers.push(() => dns.close())
  const dnsPort = await freePort()
  const barrier = await startBarrier(() => ({ ingress: environment.ingress, port: environment.panel.proxyPort }))
  closers.push(() => barrier.close())

  const pebbleWith = async (more: Partial<PebbleOptions> = {}) => {
    const pebble = await startPebble({ dnsServer: `127.0.0.1:${dnsPort}`, httpPort: barrier.port, ...more })
    closers.push(() => pebble.close())
    return pebble
  }
  const pebble = await pebbleWith(options.pebble)
  const front = await startAuthorityFront(pebble)
  closers.push(() => front.close())
  const panel = await startPanel({
    ...dns.env,
    PUBLIC_IP: publicIp,
    DNS_PORT: String(dnsPort),
    ACME_DIRECTORY_URL: front.directoryUrl,
    ACME_CA_FILE: pebble.caFile,
    ACME_HTTP_PORT: String(barrier.port),
    // Short rounds, as tests cannot wait for the default ones.
    RENEWAL_SECONDS: '1',
    ...options.env
  })
  closers.push(() => panel.dispose())
  const ann = await panel.signUp()

  const environment: CertificateEnvironment = {
    panel,
    dns,
    pebble,
    front,
    ann,
    ingress: 'open',
    anotherPebble: pebbleWith,
    newName: (label = 'shop') => `${label}-${randomBytes(4).toString('hex')}.test`,
    async addManaged(hostname = environment.newName(), by = ann) {
      dns.set(hostname, 'A', [publicIp])
      return dns.addZone(by, hostname)
    },
    async provision(domainId, by = ann) {
      await by.call('POST', `/domains/${domainId}/ssl/provision`)
      return environment.orderEnded(domainId, by)
    },
    certificateOf: (domainId, by = ann) => by.call<Certificate>('GET', `/domains/${domainId}/ssl`),
    orderEnded: (domainId, by = ann) =>
      until(
        () => environment.certificateOf(domainId, by),
        ({ status }) => status !== 'PENDING',
        180_000
      ),
    upload: (domainId, { chain, keyPem }) =>
      ann.request('POST', `/domains/${domainId}/ssl/upload`, { certificate: chain, privateKey: keyPem }),
    async makeDue(domainId) {
      await panel.query(`update certificates set renew_at = now() - interval '1 second' where domain_id = $1`, [
        domainId
      ])
    },
    shakeHands: async (hostname, rootPem) =>
      handshake(panel.proxyHttpsPort, hostname, { ca: rootPem ?? (await pebble.rootPem()) }),
    async untilServed(hostname, certificate) {
      await until(
        async () => (await handshake(panel.proxyHttpsPort, hostname)).serial,
        (serial) => serial === certificate.serialNumber
      )
    },
    async isDefaultServed(hostname) {
      const served = await Promise.all(
        [hostname, 'nobody.invalid'].map((name) => handshake(panel.proxyHttpsPort, name))
      )
      return served[0]!.certificate.fingerprint256 === served[1]!.certificate.fingerprint256
    },
    async writeRoot() {
      const file = join(dirname(pebble.caFile), 'root.pem')
      await writeFile(file, await pebble.rootPem())
      return file
    },
    async proxyPaths() {
      const { directory, runtimeDirectory, certificateDirectory } = await proxyDirectories({ DATA_DIR: panel.dataDir })
      return haproxyPaths(directory, runtimeDirectory, certificateDirectory)
    },
    async proxyProcesses() {
      const paths = await environment.proxyPaths()
      return findHaproxy(paths.config, paths.pid)
    },
    close
  }
  return environment
}

/** Stands between the Internet and port 80 of the proxy. */
async function startBarrier(
  state: () => { ingress: Ingress; port: number }
): Promise<{ port: number; close(): Promise<void> }> {
  const sockets = new Set<Socket>()
  const server: Server = createServer((incoming) => {
    const { ingress, port } = state()
    sockets.add(incoming)
    incoming.on('close', () => sockets.delete(incoming)).on('error', () => {})
    if (ingress === 'closed') incoming.destroy()
    else if (ingress === 'elsewhere')
      incoming.end('HTTP/1.1 404 Not Found\r\nConnection: close\r\nContent-Length: 0\r\n\r\n')
    else {
      const outgoing = connect(port, '127.0.0.1').on('error', () => incoming.destroy())
      incoming.on('close', () => outgoing.destroy())
      incoming.pipe(outgoing).pipe(incoming)
    }
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    async close() {
      for (const socket of sockets) socket.destroy()
      server.close()
      await once(server, 'close')
    }
  }
}
