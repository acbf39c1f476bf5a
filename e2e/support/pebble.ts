import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { get } from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { run } from '../../packages/server/src/infra/process/run.ts'
import { freePort } from '../../packages/server/test/support/ports.ts'

export interface PebbleOptions {
  /** `ip:port` of the DNS server. */
  dnsServer: string
  /** Port of http-01 validation. */
  httpPort: number
  validitySeconds?: number
  /** External account binding keys (base64url); required for accounts if set. */
  eab?: Record<string, string>
  /** Hostnames that it refuses. */
  blocked?: readonly string[]
  /** Pebble's own environment switches, such as PEBBLE_WFE_NONCEREJECT. */
  env?: Record<string, string>
}

export interface Pebble {
  directoryUrl: string
  /** CA of its HTTPS API, for ACME_CA_FILE. */
  caFile: string
  caPem: string
  /** Root of the issued certificates; changes with each start. */
  rootPem(): Promise<string>
  output(): string
  /** kill -9; `start` brings it back at the same address without state. */
  kill(): Promise<void>
  start(): Promise<void>
  close(): Promise<void>
}

/** No random delays, rejected nonces or reused authorizations unless a test asks for them. */
const calm = { PEBBLE_VA_NOSLEEP: '1', PEBBLE_WFE_NONCEREJECT: '0', PEBBLE_AUTHZREUSE: '0' }

const fiveYearsSeconds = 157_766_400

/** Pebble, Let's Encrypt's test authority (Debian package `pebble`), on free loopback ports. */
export async function startPebble(options: PebbleOptions): Promise<Pebble> {
  const directory = await mkdtemp(join(tmpdir(), 'panel-pebble-'))
  const [port, managementPort, tlsPort] = await Promise.all([freePort(), freePort(), freePort()])
  await makeServerCertificate(directory)
  const caFile = join(directory, 'ca.pem')
  const caPem = await readFile(caFile, 'utf8')
  const config = join(directory, 'pebble.json')
  await writeFile(
    config,
    JSON.stringify({
      pebble: {
        listenAddress: `127.0.0.1:${port}`,
        managementListenAddress: `127.0.0.1:${managementPort}`,
        certificate: join(directory, 'server.pem'),
        privateKey: join(directory, 'server.key'),
        httpPort: options.httpPort,
        tlsPort,
        ocspResponderURL: '',
        externalAccountBindingRequired: options.eab !== undefined,
        externalAccountMACKeys: options.eab ?? {},
        domainBlocklist: options.blocked ?? [],
        certificateValidityPeriod: options.validitySeconds ?? fiveYearsSeconds
      }
    })
  )

  let child: ChildProcess | undefined
  let output = ''
  const directoryUrl = `https://127.0.0.1:${port}/dir`
  const pebble: Pebble = {
    directoryUrl,
    caFile,
    caPem,
    rootPem: () => fetchText(`https://127.0.0.1:${managementPort}/roots/0`, caPem),
    output: () => output,
    async start() {
      const command = ['pebble', '-config', config, '-dnsserver', options.dnsServer, '-strict']
      // Ends with this process, also if that is killed.
      const started = spawn('setpriv', ['--pdeathsig', 'KILL', ...command], {
        env: { PATH: process.env.PATH, ...calm, ...options.env },
        stdio: ['ignore', 'pipe', 'pipe']
      })
      child = started
      let failure: Error | undefined
      started.once('error', (error) => (failure = error))
      const collect = (chunk: Buffer) => (output = (output + chunk.toString()).slice(-100_000))
      started.stdout.on('data', collect)
      started.stderr.on('data', collect)
      for (const deadline = Date.now() + 60_000; ; await sleep(50)) {
        const isReady = await fetchText(directoryUrl, caPem).then(
          () => true,
          () => false
        )
        if (isReady) return
        if (failure || started.exitCode !== null || Date.now() > deadline)
          throw new Error(`pebble did not start:\n${output}`, { cause: failure })
      }
    },
    async kill() {
      if (!child || child.exitCode !== null || child.signalCode !== null) return
      const ended = once(child, 'exit')
      child.kill('SIGKILL')
      await ended
    },
    async close() {
      await pebble.kill()
      await rm(directory, { recursive: true, force: true })
    }
  }
  try {
    await pebble.start()
  } catch (error) {
    await pebble.close()
    throw error
  }
  return pebble
}

export async function makeServerCertificate(directory: string): Promise<void> {
  const path = (name: string) => join(directory, name)
  const openssl = (...args: string[]) => run(['openssl', ...args], { timeoutMs: 30_000 })
  const newKey = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes']
  await writeFile(path('extensions'), 'subjectAltName=DNS:localhost,IP:127.0.0.1\nextendedKeyUsage=serverAuth\n')
  const authority = ['-subj', '/CN=throw-away authority', '-keyout', path('ca.key'), '-out', path('ca.pem')]
  await openssl('req', '-x509', ...newKey, '-days', '30', ...authority)
  const server = ['-subj', '/CN=localhost', '-keyout', path('server.key'), '-out', path('server.csr')]
  await openssl('req', ...newKey, ...server)
  const signer = ['-CA', path('ca.pem'), '-CAkey', path('ca.key'), '-CAcreateserial', '-extfile', path('extensions')]
  await openssl('x509', '-req', '-in', path('server.csr'), ...signer, '-days', '30', '-out', path('server.pem'))
}

function fetchText(url: string, ca: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const request = get(url, { ca, agent: false, timeout: 5_000 }, (response) => {
      let text = ''
      response.setEncoding('utf8').on('data', (chunk: string) => (text += chunk))
      response.on('end', () =>
        response.statusCode === 200 ? resolve(text) : reject(new Error(`status ${response.statusCode}`))
      )
      response.on('error', reject)
    })
    request.on('timeout', () => request.destroy(new Error('no answer')))
    request.on('error', reject)
  })
}
