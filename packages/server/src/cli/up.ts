import { isIPv6 } from 'node:net'
import { label } from '../infra/container-engine/labels.ts'
import { createDockerEngine } from '../infra/container-engine/docker.ts'
import { prepareBaseImages } from '../infra/base-images/base-images.ts'
import { prepareCompilers } from '../infra/base-images/compilers.ts'
import { machineCgroups } from '../infra/cgroup/machine-cgroups.ts'
import { hardenMount } from '../infra/disk/mounts.ts'
import type { BaseImageKind } from '../infra/image-builder/build-plan.ts'
import { run } from '../infra/process/run.ts'
import { baseImagesOf } from '../wiring/base-images.ts'
import type { Config } from '../config.ts'
import { buildProxyArguments } from '../config/builds.ts'
import { setupPath } from '../features/auth/first-account.policy.ts'
import { publicIpOf } from '../features/domains/public-ip.service.ts'
import type { Dependencies } from '../dependencies.ts'
import { installLastResort } from '../process/crash-handler.ts'
import { messageOf } from '../text/message-of.ts'
import { createLogger } from '../process/logger.ts'
import { containerEngine } from '../programs/container-engine.ts'
import { programsOf } from '../programs/list.ts'
import { createManager } from '../programs/manager.ts'
import { createProgramStates } from '../programs/program-states.ts'
import { type RunningPanel, startPanel } from '../server.ts'
import { lockState } from '../process/state-lock.ts'
import { webmailHostname } from '../config/mail.ts'
import { removeCages } from '../wiring/cages.ts'
import { type CommandContext, step } from './command.ts'
import { ensureDebianPackages, ensureIfHarmless, toolPackages } from './debian-packages.ts'
import { startFirewall } from './firewall.ts'
import { startMailPolicies } from './mail-policies.ts'
import { startOwnContainer } from './own-containers.ts'
import { followCertificate, listenAddressOf } from './panel-listener.ts'
import { startSessionLimit } from './sftp-sessions.ts'
import { ensureSecrets, loadConfig } from './settings.ts'
import { runUntilStopped } from './until-stopped.ts'

/** `./panel up`: everything a server needs, in the foreground. */
export async function up({ env }: CommandContext): Promise<void> {
  await runUntilStopped(async (signal) => {
    const { panel, setupToken, close } = await startEverything(env, signal)
    const { config } = panel.deps
    const sites = siteUrl(config, `<name>.${config.BASE_DOMAIN}`)
    if (setupToken !== undefined) {
      process.stdout.write(`Set-up link, for the administrator's account, once: ${setupLink(panel, setupToken)}\n`)
      // There is no page behind it before the dashboard.
      step('What stands behind its # is the setupToken of POST /api/auth/register; on this machine none is needed')
    }
    process.stdout.write(`Panel ready: ${addressOf(panel)} (sites at ${sites})\n`)
    return close
  })
}

/**
 * Starts what is not running, then the panel; its work begins once the firewall and the programs of the list are there. What it had
 * started is stopped again when it fails or `signal` fires.
 */
export async function startEverything(
  env: CommandContext['env'],
  signal: AbortSignal
): Promise<{ panel: RunningPanel; setupToken: string | undefined; close(): Promise<void> }> {
  await ensureSecrets(env)
  const config = await loadConfig(env, { HOST: '0.0.0.0', LOG_LEVEL: 'warn' })
  const logger = createLogger(config.LOG_LEVEL)
  installLastResort(logger)
  const closers: (() => Promise<unknown>)[] = []
  const close = async () => {
    for (const closer of closers.splice(0).reverse())
      await closer().catch((error: unknown) => step(`Stopping: ${messageOf(error)}`))
  }
  try {
    const lock = await lockState(config.DATA_DIR)
    closers.push(() => lock.release())
    const programs = programsOf(config)
    const ours = programs.filter((program) => program.isOurs(config))
    const packagesOf = (yields: boolean) =>
      ours.filter((program) => (program.yields ?? false) === yields).flatMap(({ packages }) => packages)
    const installed = ensureDebianPackages(run, [...toolPackages, ...packagesOf(false)]).then(async () => {
      const problem = await ensureIfHarmless(run, packagesOf(true))
      if (problem !== undefined) step(`The panel goes on without mail servers. ${problem}`)
    })

    await hardenProjects(config)
    const engine = createDockerEngine({
      socketPath: config.DOCKER_SOCKET,
      buildArguments: buildProxyArguments(config)
    })
    const machine = { config, env, run, engine, step }
    const programStates = createProgramStates(ours.map(({ name }) => name).filter((name) => name !== 'store'))
    const manager = createManager({ logger, step, signal, states: programStates })
    let firewall: { stop(): Promise<void> } | undefined
    let sites: Pick<Dependencies, 'engine' | 'instanceId'> | undefined
    // The panel would start the sites again, so they end after it, and the programs after them.
    closers.push(
      async () => sites && removeCages(machineCgroups(run), sites.instanceId),
      () => manager.stop(),
      async () => firewall?.stop(),
      () => manager.stop({ but: 'containerEngine' }),
      async () => sites && manager.runs('containerEngine') && stopSites(sites)
    )
    const images = baseImagesOf(config)
    const prepare = (kinds: readonly BaseImageKind[]) =>
      prepareBaseImages({ engine, images, kinds, log: step, run, signal })
    const engineStarted = installed.then(async () => {
      signal.throwIfAborted()
      await manager.start([containerEngine], machine)
      signal.throwIfAborted()
    })
    const prepared = engineStarted.then(() => prepare(['node', 'static']))
    prepared.catch(() => {}) // Awaited below, once the panel listens.

    let setupToken: string | undefined
    const panel = await startPanel(config, logger, {
      programStates,
      separateWeb: await isWebSeparate(config),
      async beforeListening(deps) {
        const { issueSetupToken } = await import('../features/auth/first-account.service.ts')
        setupToken = await issueSetupToken(deps)
      },
      listenAddress: listenAddressOf,
      async beforeWork({ deps, address }) {
        sites = deps
        const others = programs.filter(({ name }) => name !== 'store' && name !== 'containerEngine')
        await installed
        const fenced = engineStarted.then(async () => {
          firewall = await startFirewall(deps, run)
        })
        manager.provide('hostFirewall', fenced)
        await Promise.all([fenced, prepared, manager.start(others, { ...machine, deps, panelPort: address.port })])
        signal.throwIfAborted()
      }
    })
    closers.push(() => panel.close())
    signal.throwIfAborted()
    const following = new AbortController()
    closers.push(async () => following.abort())
    followCertificate(panel, following.signal)

    const sessionLimit = startSessionLimit(panel.deps)
    closers.push(() => sessionLimit.stop())

    const mailPolicies = await startMailPolicies(panel.deps)
    closers.push(() => mailPolicies.close())

    for (const program of ownContainers(panel.deps)) {
      const started = startOwnContainer(panel.deps, program)
      closers.push(() => started.stop())
    }
    // The rarer ones meanwhile; a build that comes first waits for its own.
    const warn = (error: unknown) => {
      if (!signal.aborted) logger.warn({ error: messageOf(error) }, 'base images')
    }
    void prepareCompilers({ engine, log: step, run, signal }, images)
      .catch(warn)
      .then(() => prepare(['python', 'php']))
      .catch(warn)
    await programStates.settled(signal)
    return { panel, setupToken, close }
  } catch (error) {
    await close()
    throw error
  }
}

/** Where it cannot be, everything runs in this process, as it does for whoever is not root. */
async function isWebSeparate(config: Config): Promise<boolean> {
  if (config.WEB_PROCESS === 'inside') return false
  const { findSeparationProblem } = await import('../web/web-process.ts')
  const problem = await findSeparationProblem(config)
  if (problem === undefined) return true
  if (config.WEB_PROCESS === 'separate') throw new Error(`WEB_PROCESS=separate cannot be: ${problem}`)
  step(`The API is served by this process itself, with all its rights: ${problem}`)
  return false
}

/** Of a file system of its own: set-uid bits and devices that somebody puts there count for nothing. */
async function hardenProjects({ PROJECTS_DIR }: Config): Promise<void> {
  try {
    const added = await hardenMount(PROJECTS_DIR, run)
    if (added.length > 0) step(`${PROJECTS_DIR} is mounted ${added.join(', ')} now; put that into /etc/fstab`)
  } catch (error) {
    step(`${PROJECTS_DIR} stays without nosuid and nodev: ${messageOf(error)}`)
  }
}

/** Sites end with an engine that was started for them; the next `up` starts them again. */
async function stopSites(deps: Pick<Dependencies, 'engine' | 'instanceId'>): Promise<void> {
  const containers = await deps.engine.listContainers({ [label.instance]: deps.instanceId })
  await Promise.all(containers.map((container) => deps.engine.stopContainer(container.id, 3)))
}

/** Where a person opens the panel. */
export const addressOf = (panel: RunningPanel): string =>
  panel.deps.config.PANEL_DOMAIN ? panel.deps.config.API_BASE_URL : `http://localhost:${panel.address.port}`

/** Behind the #, where browsers keep it to themselves. Most who open it sit elsewhere, so it names the machine as the world does. */
function setupLink(panel: RunningPanel, token: string): string {
  const { config } = panel.deps
  const { HOST, API_BASE_URL } = config
  const host = ['0.0.0.0', '::'].includes(HOST) ? publicIpOf(config) : isIPv6(HOST) ? `[${HOST}]` : HOST
  const base = API_BASE_URL.startsWith('http://localhost:') ? `http://${host}:${panel.address.port}` : API_BASE_URL
  return `${base}${setupPath}#${token}`
}

/** Where a person opens a site. */
export function siteUrl(config: Pick<Config, 'PROXY_HTTP_PORT'>, hostname: string): string {
  return `http://${hostname}${config.PROXY_HTTP_PORT === 80 ? '' : `:${config.PROXY_HTTP_PORT}`}`
}

const ownContainers = ({ config, databaseAdmin, webmail }: Dependencies) => [
  { title: 'web administration of databases', container: databaseAdmin },
  ...(webmailHostname(config) === undefined ? [] : [{ title: 'webmail', container: webmail }])
]
