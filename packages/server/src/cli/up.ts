import { label } from '../infra/container-engine/labels.ts'
import { createDockerEngine } from '../infra/container-engine/docker.ts'
import { prepareBaseImages } from '../infra/base-images/base-images.ts'
import { run } from '../infra/process/run.ts'
import { startHaproxy } from '../infra/reverse-proxy/haproxy-process.ts'
import { superviseHaproxy } from '../infra/reverse-proxy/haproxy-supervisor.ts'
import type { Config } from '../config.ts'
import type { Dependencies } from '../dependencies.ts'
import { messageOf } from '../errors.ts'
import { certificateSource, syncCertificates } from '../features/certificates/served-certificates.ts'
import { syncAllRoutes } from '../features/domains/routing.service.ts'
import { createLogger } from '../logger.ts'
import { makeMemoryDirectory } from '../memory-directory.ts'
import { proxyDirectories } from '../places.ts'
import { type RunningPanel, startPanel } from '../server.ts'
import { lockState } from '../state-lock.ts'
import { type CommandContext, step } from './command.ts'
import { ensureContainerEngine } from './container-engine-process.ts'
import { startFirewall } from './firewall.ts'
import { ensureDebianPackages, serverPackages } from './debian-packages.ts'
import { explain } from './explain.ts'
import { everyAddress } from './every-address.ts'
import { startDatabaseAdmin } from './database-admin.ts'
import { ownEngines, startDatabaseServers } from './database-servers.ts'
import { startSftpServer } from './sftp-server.ts'
import { startNameServer } from './name-server.ts'
import { ensureSecrets, loadConfig } from './settings.ts'
import { runUntilStopped } from './until-stopped.ts'

/** `./panel up`: everything a server needs, in the foreground. */
export async function up({ env }: CommandContext): Promise<void> {
  await runUntilStopped(async (signal) => {
    const { panel, close } = await startEverything(env, signal)
    const { config } = panel.deps
    const sites = siteUrl(config, `<name>.${config.BASE_DOMAIN}`)
    process.stdout.write(`Panel ready: ${addressOf(panel)} (sites at ${sites})\n`)
    return close
  })
}

/**
 * Starts what is not running, then the panel; its work begins once the firewall, the name server and the proxy are there. What it had
 * started is stopped again when it fails or `signal` fires.
 */
export async function startEverything(
  env: CommandContext['env'],
  signal: AbortSignal
): Promise<{ panel: RunningPanel; close(): Promise<void> }> {
  await ensureSecrets(env)
  // The proxy of this machine stands before the panel; it replaces what a client says in forwarding headers.
  const config = await loadConfig(env, { HOST: '0.0.0.0', TRUSTED_PROXIES: '127.0.0.1', LOG_LEVEL: 'warn' })
  const logger = createLogger(config.LOG_LEVEL)
  const closers: (() => Promise<unknown>)[] = []
  const close = async () => {
    for (const closer of closers.splice(0).reverse())
      await closer().catch((error: unknown) => step(`Stopping: ${messageOf(error)}`))
  }
  try {
    const lock = await lockState(config.DATA_DIR)
    closers.push(() => lock.release())
    await ensureDebianPackages(run, [...serverPackages, ...ownEngines(config).flatMap(({ packages }) => packages)])
    signal.throwIfAborted()
    const engine = createDockerEngine({ socketPath: config.DOCKER_SOCKET })
    const engineProcess = await ensureContainerEngine(config, engine, run, env)
    closers.push(() => engineProcess.stop())

    const images = {
      node: config.BUILD_IMAGE_NODE,
      python: config.BUILD_IMAGE_PYTHON,
      static: config.BUILD_IMAGE_STATIC,
      php: config.BUILD_IMAGE_PHP
    }
    const prepare = (kinds: readonly (keyof typeof images)[]) =>
      prepareBaseImages({ engine, images, kinds, log: step, run, signal })
    await prepare(['node', 'static'])
    signal.throwIfAborted()

    // These end after the panel and the sites.
    let firewall: { stop(): Promise<void> } | undefined
    let nameServer: { stop(): Promise<void> } | undefined
    let proxy: { stop(): Promise<void> } | undefined
    let databaseServers: { stop(): Promise<void> } | undefined
    let sftpServer: { stop(): Promise<void> } | undefined
    closers.push(
      async () => firewall?.stop(),
      async () => databaseServers?.stop(),
      async () => sftpServer?.stop(),
      async () => nameServer?.stop(),
      async () => proxy?.stop()
    )
    const panel = await startPanel(config, logger, {
      async beforeWork({ deps, address }) {
        firewall = await startFirewall(deps, run)
        databaseServers = await startDatabaseServers(deps, run)
        sftpServer = await startSftpServer(deps, run)
        nameServer = await startNameServer(deps, run)
        proxy = await startProxy(deps, address.port)
      }
    })
    // After the panel, which would start them again.
    if (engineProcess.isOurs) closers.push(() => stopSites(panel.deps))
    closers.push(() => panel.close())
    signal.throwIfAborted()

    const databaseAdmin = startDatabaseAdmin(panel.deps)
    closers.push(() => databaseAdmin.stop())
    // The rarer ones meanwhile; a build that comes first waits for its own.
    void prepare(['python', 'php']).catch((error: unknown) => {
      if (!signal.aborted) logger.warn({ error: messageOf(error) }, 'base images')
    })
    return { panel, close }
  } catch (error) {
    await close()
    throw error
  }
}

async function startProxy(deps: Dependencies, panelPort: number): Promise<{ stop(): Promise<void> }> {
  const { config } = deps
  const { subnet, gateway } = await deps.network()
  const options = {
    ...(await proxyDirectories(config)),
    containerSubnet: subnet,
    gateway,
    httpBinds: bindsOf(config.PROXY_HTTP_PORT),
    httpsBinds: bindsOf(config.PROXY_HTTPS_PORT),
    panelAddress: { host: '127.0.0.1', port: panelPort },
    run,
    certificates: certificateSource(deps),
    onCertificateProblem: (error: unknown) =>
      deps.logger.error({ error: messageOf(error) }, 'certificates of the proxy')
  }
  if (!(await makeMemoryDirectory(config.DATA_DIR)).isInMemory)
    deps.logger.warn('there is no file system in memory: private keys of certificates lie on disk')
  step(`Starting the reverse proxy on ports ${config.PROXY_HTTP_PORT} and ${config.PROXY_HTTPS_PORT}`)
  const tell = (what: string) => (error: unknown) =>
    deps.logger.warn({ error: messageOf(error) }, `${what} after a start of the proxy`)
  // A single certificate that is refused rejects; the others are served.
  const syncServed = () => syncCertificates(deps).catch(tell('certificates'))
  const started = await startHaproxy(options).catch((error: unknown) => {
    const ports = `${config.PROXY_HTTP_PORT} or ${config.PROXY_HTTPS_PORT}`
    throw new Error(
      explain(error, `another program has port ${ports}: stop it, or set PROXY_HTTP_PORT and PROXY_HTTPS_PORT`),
      { cause: error }
    )
  })
  await syncAllRoutes(deps)
  await syncServed()
  const supervisor = superviseHaproxy(started, options, {
    onRestart: () => {
      void syncAllRoutes(deps).catch(tell('routes'))
      void syncServed()
    },
    onFailure: (error) => deps.logger.error({ error: messageOf(error) }, 'reverse proxy')
  })
  return {
    async stop() {
      await supervisor.stop()
      await started.stop()
    }
  }
}

const bindsOf = (port: number): string[] =>
  everyAddress().map((address) => (address === '::' ? `[::]:${port}` : `${address}:${port}`))

/** Sites end with an engine that was started for them; the next `up` starts them again. */
async function stopSites(deps: Pick<Dependencies, 'engine' | 'instanceId'>): Promise<void> {
  const containers = await deps.engine.listContainers({ [label.instance]: deps.instanceId })
  await Promise.all(containers.map((container) => deps.engine.stopContainer(container.id, 3)))
}

/** Where a person opens the panel. */
export const addressOf = (panel: RunningPanel): string =>
  panel.deps.config.PANEL_DOMAIN ? panel.deps.config.API_BASE_URL : `http://localhost:${panel.address.port}`

/** Where a person opens a site. */
export function siteUrl(config: Pick<Config, 'PROXY_HTTP_PORT'>, hostname: string): string {
  return `http://${hostname}${config.PROXY_HTTP_PORT === 80 ? '' : `:${config.PROXY_HTTP_PORT}`}`
}
