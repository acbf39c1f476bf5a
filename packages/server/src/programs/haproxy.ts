import { setTimeout as sleep } from 'node:timers/promises'
import type { Config } from '../config.ts'
import { type PanelConnections, type ProxyLimits, proxyLimits } from '../net/connection-limits.policy.ts'
import { messageOf } from '../text/message-of.ts'
import { publishedPorts, tcpPortRange } from '../config/tcp-ports.ts'
import { listenAddresses } from '../infra/process/listen-addresses.ts'
import { readMachineResources } from '../infra/process/machine-resources.ts'
import { withCapabilities } from '../infra/process/privileges.ts'
import type { Run } from '../infra/process/process.ts'
import { isAlive } from '../infra/process/signal.ts'
import { type CertificateSource, writeCertificates } from '../infra/reverse-proxy/certificate-source.ts'
import { certificateFiles, withUsableCertificates } from '../infra/reverse-proxy/haproxy-certificate-files.ts'
import { haproxyFingerprint, renderHaproxyConfig } from '../infra/reverse-proxy/haproxy-config.render.ts'
import type { HaproxyConfigOptions, PanelUpstream } from '../infra/reverse-proxy/haproxy-options.ts'
import { prepareFiles } from '../infra/reverse-proxy/haproxy-files.ts'
import { type HaproxyPaths, haproxyPaths } from '../infra/reverse-proxy/haproxy-paths.ts'
import { findHaproxy } from '../infra/reverse-proxy/haproxy-pids.ts'
import { readInfo, sendCommand } from '../infra/reverse-proxy/haproxy-socket.ts'
import { makeMemoryDirectory } from '../process/memory-directory.ts'
import { routedNetwork } from '../net/panel-network.ts'
import { unlimitedSources } from '../net/unlimited-sources.ts'
import { proxyDirectories } from '../process/paths.ts'
import { proxyHeader, proxyLoginKey, proxySecret, proxySource } from '../security/proxy-proof.ts'
import { findInstalled, withVersion } from './finding.ts'
import type { Program } from './program.ts'
import type { ManagedProgram } from './managed-program.ts'
import { findSystemUser } from './system-user.ts'

export interface HaproxyProgramOptions extends Omit<HaproxyConfigOptions, 'limits' | 'user'> {
  run: Run
  limits?: ProxyLimits
  /** Until a started or reloaded proxy serves. Default 2 min: 10,000 certificates took 7 s on an idle CPU. */
  startTimeoutMs?: number
  /** Certificates to write before a start. Without it, or on failure, the existing files are used. */
  certificates?: CertificateSource
  onCertificateProblem?: (error: unknown) => void
}

// For reading files below private directories, low ports, chroot, and switching and signalling the worker.
const masterCapabilities = ['dac_read_search', 'net_bind_service', 'sys_chroot', 'setuid', 'setgid', 'kill']

const checkTimeoutMs = 120_000
const pollMs = 20

/** Sync routes and certificates after each start: a change during a (re)load may be in a file only. */
export async function haproxyProgram(options: HaproxyProgramOptions): Promise<ManagedProgram> {
  const { directory, runtimeDirectory, run, startTimeoutMs = 120_000 } = options
  const paths = haproxyPaths(directory, runtimeDirectory, options.certificateDirectory)
  const user = await findSystemUser('haproxy', run)
  const config = {
    ...options,
    limits: options.limits ?? proxyLimits(await readMachineResources()),
    ...(user ? { user } : {})
  }
  const onProblem = (error: unknown) => options.onCertificateProblem?.(error)
  return {
    name: 'the reverse proxy',
    log: paths.log,
    stopSignal: 'SIGTERM',
    limits: { startMs: startTimeoutMs, stopMs: 5_000 },
    prepare: () => prepareFiles(directory, runtimeDirectory, paths, run),
    render: () => [{ path: paths.config, content: renderHaproxyConfig(config) }],
    check: async (candidate) => void (await run(['haproxy', '-c', '-f', candidate], { timeoutMs: checkTimeoutMs })),
    command() {
      const argv = [
        'haproxy',
        '-W',
        '-f',
        paths.config,
        '-S',
        `${paths.masterSocket},mode,600`,
        '-p',
        paths.pid
      ] as const
      return { argv: user ? withCapabilities(masterCapabilities, argv) : argv, pidFile: paths.pid }
    },
    async find() {
      const { master, all } = await findHaproxy(paths.config, paths.pid)
      return { main: master, all }
    },
    probe: () => readInfo(paths.adminSocket).then(() => 'serving'),
    fingerprint: {
      wanted: haproxyFingerprint(config),
      running: () =>
        readInfo(paths.adminSocket).then(
          ({ description }) => description,
          () => undefined
        )
    },
    reload: () => reload(paths, startTimeoutMs),
    async attempt(work, { isRunning }) {
      if (!isRunning && options.certificates)
        await writeCertificates(certificateFiles(paths), options.certificates, onProblem)
      return withUsableCertificates(paths, work, onProblem)
    }
  }
}

const loadCertificates = () => import('../features/certificates/served-certificates.service.ts')
const loadRouting = () => import('../features/domains/routing.service.ts')
const loadRules = () => import('../features/domains/rules.service.ts')

/** HAProxy 2.6 re-executes itself, which breaks the connection: only a new worker pid shows success. */
async function reload(paths: HaproxyPaths, timeoutMs: number): Promise<void> {
  const { master } = await findHaproxy(paths.config, paths.pid)
  const before = await workerOf(paths)
  await sendCommand(paths.masterSocket, 'reload').catch(() => '')
  for (
    const deadline = Date.now() + timeoutMs;
    Date.now() < deadline && master && isAlive(master);
    await sleep(pollMs)
  ) {
    const worker = await workerOf(paths)
    if (worker !== undefined && worker !== before) return
  }
  throw new Error('no worker started with the new configuration')
}

const workerOf = (paths: HaproxyPaths): Promise<number | undefined> =>
  readInfo(paths.adminSocket, { timeoutMs: 1_000 }).then(
    ({ pid }) => pid,
    () => undefined // Not up yet.
  )

export const panelUpstream = (
  config: Parameters<typeof proxySecret>[0],
  port: number,
  { proxy, live }: Pick<PanelConnections, 'live' | 'proxy'>
): PanelUpstream => ({
  host: '127.0.0.1',
  port,
  source: proxySource,
  header: proxyHeader,
  secret: proxySecret(config),
  connections: proxy,
  liveConnections: live
})

export const reverseProxy: Program = {
  name: 'reverseProxy',
  title: 'the reverse proxy',
  packages: ['haproxy'],
  // Rate limits for containers and the allowed targets depend on the container networks.
  needs: ['containerEngine', 'hostFirewall'],
  isRequired: true,
  isOurs: () => true,
  ports: (config) =>
    [config.PROXY_HTTP_PORT, config.PROXY_HTTPS_PORT, ...publishedPorts(config)].map((port) => ({
      port,
      containers: 'anywhere' as const
    })),
  portHint: 'stop the other program, or set PROXY_HTTP_PORT, PROXY_HTTPS_PORT, TCP_PORTS and TCP_TLS_PORT',
  async open({ config, deps, panelPort, run }) {
    const { certificateSource } = await loadCertificates()
    if (!(await makeMemoryDirectory(config.DATA_DIR)).isInMemory)
      deps.logger.warn('No tmpfs available: private keys of certificates are stored on disk')
    return haproxyProgram({
      ...(await proxyDirectories(config)),
      network: routedNetwork(await deps.network()),
      httpBinds: bindsOf(config.PROXY_HTTP_PORT),
      httpsBinds: bindsOf(config.PROXY_HTTPS_PORT),
      ...publishedBinds(config),
      unlimitedSources: unlimitedSources(config),
      panel: panelUpstream(config, panelPort, deps.connectionLimits),
      loginKey: proxyLoginKey(config),
      run,
      certificates: certificateSource(deps),
      onCertificateProblem: (error) =>
        deps.logger.error({ error: messageOf(error) }, 'certificates could not be served')
    })
  },
  async onStart({ deps }) {
    const warn = (what: string) => (error: unknown) =>
      deps.logger.warn({ error: messageOf(error) }, `could not sync ${what} after the proxy started`)
    const [{ syncAllRules }, { syncAllRoutes }, { syncCertificates }] = await Promise.all([
      loadRules(),
      loadRouting(),
      loadCertificates()
    ])
    await syncAllRules(deps).catch(warn('domain rules'))
    await syncAllRoutes(deps).catch(warn('routes'))
    await syncCertificates(deps).catch(warn('certificates'))
  },
  ping: ({ proxy }) => proxy.ping(),
  remedy: { code: 'RUN_UP' },
  async inspect(config) {
    const { directory, runtimeDirectory } = await proxyDirectories(config)
    return withVersion(
      await findInstalled('Reverse proxy', ['haproxy', '-v'], 'Run apt-get install haproxy, or ./panel up'),
      async () => (await readInfo(haproxyPaths(directory, runtimeDirectory).adminSocket)).version,
      'Run ./panel up to start it'
    )
  }
}

function publishedBinds(
  config: Pick<Config, 'TCP_PORTS' | 'TCP_TLS_PORT'>
): Pick<HaproxyConfigOptions, 'tcpBinds' | 'tcpTlsBinds'> {
  const range = tcpPortRange(config)
  return {
    tcpBinds: range ? bindsOf(`${range.first}-${range.last}`) : [],
    tcpTlsBinds: config.TCP_TLS_PORT === undefined ? [] : bindsOf(config.TCP_TLS_PORT)
  }
}

const bindsOf = (port: number | string): string[] =>
  listenAddresses().map((address) => (address === '::' ? `[::]:${port}` : `${address}:${port}`))
