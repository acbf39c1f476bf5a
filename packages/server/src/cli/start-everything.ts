import { join, resolve } from 'node:path'
import type { Config } from '../config.ts'
import { sampleHost } from '../config/git.ts'
import { buildProxyArguments } from '../config/builds.ts'
import { webmailHostname } from '../config/mail.ts'
import type { Dependencies } from '../dependencies.ts'
import { machineCgroups } from '../infra/cgroup/machine-cgroups.ts'
import { createDockerEngine } from '../infra/container-engine/docker.ts'
import { label } from '../infra/container-engine/labels.ts'
import { hardenMount } from '../infra/disk/mounts.ts'
import { run } from '../infra/process/run.ts'
import { installCrashHandler } from '../process/crash-handler.ts'
import { createLogger } from '../process/logger.ts'
import { openPanelLog } from '../process/panel-log.ts'
import { lockState } from '../process/state-lock.ts'
import { containerEngine } from '../programs/container-engine.ts'
import { programsOf } from '../programs/list.ts'
import { createManager } from '../programs/manager.ts'
import { createProgramStates } from '../programs/program-states.ts'
import type { Program } from '../programs/program.ts'
import { type RunningPanel, startPanel } from '../server.ts'
import { refuseUnfinishedRestore } from '../restore/swap.ts'
import { messageOf } from '../text/message-of.ts'
import { removeCages } from '../wiring/cages.ts'
import { createBaseImageSetup } from './base-images.ts'
import { type CommandContext, step } from './command.ts'
import { ensureDebianPackages, ensureIfHarmless, ensureOptional, toolPackages } from './debian-packages.ts'
import { type Firewall, restoreServerFirewall, startFirewall } from './firewall.ts'
import {
  createProgramFollower,
  createServiceFollower,
  followSettings,
  type SettingsFollower
} from './follow-settings.ts'
import { startMailPolicies } from './mail-policies.ts'
import { startOwnContainer } from './own-containers.ts'
import { followCertificate, listenAddressOf } from './panel-listener.ts'
import { startSampleRepository } from './sample-repository.ts'
import { startSessionLimit } from './sftp-sessions.ts'
import { ensureSecrets, loadConfig } from './settings.ts'

/**
 * Starts the programs that are not running and then the panel, whose jobs run only once the firewall and all programs are up. When a
 * step fails or `signal` fires, stops what it has started.
 */
export async function startEverything(
  { env, root }: Pick<CommandContext, 'env' | 'root'>,
  signal: AbortSignal
): Promise<{ panel: RunningPanel; setupToken: string | undefined; close(): Promise<void> }> {
  await refuseUnfinishedRestore(resolve(env.DATA_DIR || './data'))
  await ensureSecrets(env)
  const loaded = await loadConfig(env, { HOST: '0.0.0.0', LOG_LEVEL: 'warn' })
  const sample = await startSampleRepository(join(root, 'deploy/sample'), loaded.DATA_DIR, run)
  const config = { ...loaded, GIT_MIRRORS: { ...loaded.GIT_MIRRORS, [sampleHost]: sample.baseUrl } }
  const log = openPanelLog(config, env)
  const logger = createLogger(config.LOG_LEVEL, log)
  installCrashHandler(logger)
  const closers: (() => Promise<unknown>)[] = [async () => log.close(), async () => sample.close()]
  const close = async () => {
    for (const closer of closers.splice(0).reverse())
      await closer().catch((error: unknown) => step(`Stopping: ${messageOf(error)}`))
  }
  try {
    const lock = await lockState(config.DATA_DIR)
    closers.push(() => lock.release())
    const ours = programsOf(config).filter((program) => program.isOurs(config))
    // Mail clients may be off by a setting that is in the store.
    const installed = installPackages(ours.filter(({ yields }) => !yields))

    await hardenProjects(config)
    const engine = createDockerEngine({
      socketPath: config.DOCKER_SOCKET,
      buildArguments: buildProxyArguments(config)
    })
    const machine = { config, env, run, engine, step }
    const programStates = createProgramStates(ours.map(({ name }) => name).filter((name) => name !== 'store'))
    const manager = createManager({ logger, step, signal, states: programStates })
    let firewall: Firewall | undefined
    let programs: SettingsFollower | undefined
    let sites: Pick<Dependencies, 'engine' | 'instanceId'> | undefined
    // Closers run last to first: the panel, then the sites (the panel would start them again), then the programs.
    closers.push(
      async () => sites && removeCages(machineCgroups(run), sites.instanceId),
      () => manager.stop(),
      async () => firewall?.stop(),
      () => manager.stop({ but: 'containerEngine' }),
      async () => sites && manager.runs('containerEngine') && stopSites(sites)
    )
    const baseImages = createBaseImageSetup({ config, engine, logger }, signal)
    const engineStarted = installed.then(async () => {
      signal.throwIfAborted()
      await manager.start([containerEngine], machine)
      signal.throwIfAborted()
    })
    const prepared = engineStarted.then(() => baseImages.common())
    prepared.catch(() => {}) // Awaited below, once the panel listens.

    let setupToken: string | undefined
    const panel = await startPanel(config, logger, {
      programStates,
      separateWeb: await isWebSeparate(config),
      async beforeListening(deps) {
        await restoreServerFirewall(deps)
        const { issueSetupToken } = await import('../features/auth/first-account.service.ts')
        setupToken = await issueSetupToken(deps)
      },
      listenAddress: listenAddressOf,
      async beforeWork({ deps, address }) {
        sites = deps
        for (const { name } of ours)
          if (!deps.programs().some((program) => program.name === name)) programStates.forget(name)
        const context = { ...machine, config: deps.config, deps, panelPort: address.port }
        programs = createProgramFollower({ manager, context, install: installPackages })
        await installed
        const fenced = engineStarted.then(async () => {
          firewall = await startFirewall(deps, run)
        })
        manager.provide('hostFirewall', fenced)
        await Promise.all([fenced, prepared, programs.apply()])
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

    const services = followedServices(panel.deps)
    for (const service of services) {
      closers.push(() => service.stop())
      await service.apply()
    }
    const admin = startOwnContainer(panel.deps, {
      title: 'Adminer',
      container: panel.deps.databaseAdmin
    })
    closers.push(() => admin.stop())
    const changes = followSettings(panel.deps, [
      { apply: async () => firewall?.refresh() },
      ...(programs === undefined ? [] : [programs]),
      ...services
    ])
    closers.push(() => changes.stop())
    baseImages.others()
    await programStates.settled(signal)
    return { panel, setupToken, close }
  } catch (error) {
    await close()
    throw error
  }
}

/** Whether a process without privileges serves the API. Without root, or where the machine does not allow it, this process does. */
async function isWebSeparate(config: Config): Promise<boolean> {
  if (config.WEB_PROCESS === 'inside') return false
  const { findSeparationProblem } = await import('../web/web-process.ts')
  const problem = await findSeparationProblem(config)
  if (problem === undefined) return true
  if (config.WEB_PROCESS === 'separate') throw new Error(`WEB_PROCESS=separate is not possible: ${problem}`)
  step(`The API is served by this process itself, with all its rights: ${problem}`)
  return false
}

/** Parts of the panel itself that run or not by the settings. */
const followedServices = (deps: Dependencies) => [
  createServiceFollower(
    deps,
    ['PANEL_DOMAIN', 'BASE_DOMAIN'],
    () => deps.config.MAIL,
    async () => {
      const policies = await startMailPolicies(deps)
      return { stop: () => policies.close() }
    }
  ),
  createServiceFollower(
    deps,
    ['PANEL_DOMAIN'],
    () => webmailHostname(deps.config) !== undefined,
    async () => startOwnContainer(deps, { title: 'webmail', container: deps.webmail })
  )
]

async function installPackages(programs: readonly Program[]): Promise<readonly Program[]> {
  const packagesOf = (yields: boolean) =>
    programs.filter((program) => (program.yields ?? false) === yields).flatMap(({ packages }) => packages)
  await ensureDebianPackages(run, [...toolPackages, ...packagesOf(false)])
  await ensureOptional(
    run,
    programs.flatMap(({ optionalPackages }) => optionalPackages ?? [])
  )
  const problem = await ensureIfHarmless(run, packagesOf(true))
  if (problem !== undefined) step(`The panel runs without mail servers. ${problem}`)
  return programs
}

/** Remounts the projects' own file system with nosuid and nodev, so that set-uid bits and devices in it have no effect. */
async function hardenProjects({ PROJECTS_DIR }: Config): Promise<void> {
  try {
    const added = await hardenMount(PROJECTS_DIR, run)
    if (added.length > 0)
      step(`${PROJECTS_DIR} was remounted with ${added.join(', ')}. Add these options to /etc/fstab`)
  } catch (error) {
    step(`${PROJECTS_DIR} stays without nosuid and nodev: ${messageOf(error)}`)
  }
}

/** Stops the sites before the engine that `up` started for them; the next `up` starts them again. */
async function stopSites(deps: Pick<Dependencies, 'engine' | 'instanceId'>): Promise<void> {
  const containers = await deps.engine.listContainers({ [label.instance]: deps.instanceId })
  await Promise.all(containers.map((container) => deps.engine.stopContainer(container.id, 3)))
}
