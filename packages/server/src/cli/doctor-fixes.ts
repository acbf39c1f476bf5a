import { chmod, chown, rm, stat } from 'node:fs/promises'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Config } from '../config.ts'
import { findEmbeddedPostgres } from '../db/embedded-postgres.ts'
import { countExpired, retryExpired } from '../features/certificates/certificate-access.ts'
import { createDockerEngine } from '../infra/container-engine/docker.ts'
import { missingOptions } from '../infra/disk/mount.policy.ts'
import { findMount, hardenMount } from '../infra/disk/mounts.ts'
import { readIfExists } from '../infra/disk/read-if-exists.ts'
import { isBridgeFilterOn, switchOnBridgeFilter } from '../infra/host-firewall/bridge-filter.ts'
import { removeDeadTables } from '../infra/host-firewall/other-panels.ts'
import type { BaseImageKind } from '../infra/image-builder/build-plan.ts'
import { isRunning } from '../infra/process/is-running.ts'
import type { Run } from '../infra/process/process.ts'
import { bridgePrefix } from '../net/network-names.ts'
import { containerEngine } from '../programs/container-engine.ts'
import { startProgram } from '../programs/lifecycle.ts'
import { programsOf } from '../programs/list.ts'
import { usualBaseImages } from '../wiring/base-images.ts'
import { baseImageSteps } from './base-images.ts'
import { type CommandContext, step } from './command.ts'
import { ensureDebianPackages, findMissing, toolPackages } from './debian-packages.ts'
import { withStore } from './store.ts'

export interface FixContext {
  config: Config
  env: CommandContext['env']
  run: Run
}

/** A remedy that `./panel doctor --fix` may carry out: it can be repeated, and loses nothing. */
export interface Fix {
  /** What it would do now, in one sentence; undefined if there is nothing to do. Changes nothing. */
  plan(context: FixContext): Promise<string | undefined>
  apply(context: FixContext): Promise<unknown>
}

const engineOf = ({ config }: FixContext) => createDockerEngine({ socketPath: config.DOCKER_SOCKET })

/** In the order of their needs: images need the engine, the engine its packages. By the row of `./panel doctor` that they repair. */
export const fixes: Readonly<Record<string, Fix>> = {
  'Debian packages': {
    async plan({ config, run }) {
      const missing = await findMissing(run, packagesOf(config))
      return missing.length === 0 ? undefined : `Install the Debian packages ${missing.join(', ')}`
    },
    apply: ({ config, run }) => ensureDebianPackages(run, packagesOf(config))
  },
  'Data directory': {
    async plan({ config }) {
      const wrong = await listOpen(config)
      return wrong.length === 0 ? undefined : `Make ${wrong.join(' and ')} private to the user of the panel`
    },
    async apply({ config }) {
      const uid = process.getuid?.() ?? 0
      for (const path of await listOpen(config)) {
        if ((await stat(path)).uid !== uid) await chown(path, uid, process.getgid?.() ?? 0)
        await chmod(path, path === config.DATA_DIR ? 0o700 : 0o600)
      }
    }
  },
  'Stale pid files': {
    async plan() {
      const stale = await listStalePidFiles()
      return stale.length === 0 ? undefined : `Remove ${stale.join(' and ')} of a container engine that no longer runs`
    },
    async apply() {
      for (const path of await listStalePidFiles()) await rm(path, { force: true })
    }
  },
  'Container engine': {
    async plan(context) {
      const isUp = await engineOf(context)
        .ping()
        .then(
          () => true,
          () => false
        )
      return isUp ? undefined : 'Start the container engine'
    },
    async apply({ config, env, run }) {
      const engine = createDockerEngine({ socketPath: config.DOCKER_SOCKET })
      const program = await containerEngine.open({ config, env, run, engine, step })
      // It outlives this command; the panel supervises it later.
      if (program) await startProgram(program)
    }
  },
  'Base images': {
    async plan(context) {
      const missing = await listMissingImages(context)
      return missing.length === 0 ? undefined : `Pull or build the base images for ${missing.join(', ')}`
    },
    async apply(context) {
      const kinds = await listMissingImages(context)
      const options = { engine: engineOf(context), log: step, run: context.run, signal: new AbortController().signal }
      const prepared = await baseImageSteps(context.config, options).prepare(...kinds)
      const failed = prepared.filter(({ outcome }) => outcome === 'failed')
      if (failed.length > 0)
        throw new Error(failed.map(({ reference, problem }) => `${reference}: ${problem}`).join('\n'))
    }
  },
  'Bridge filter': {
    plan: async () =>
      (await isBridgeFilterOn()) === true
        ? undefined
        : 'Turn on the packet filter for bridges, which separates the containers of accounts',
    apply: ({ run }) => switchOnBridgeFilter(run)
  },
  'Project files': {
    async plan({ config: { PROJECTS_DIR } }) {
      const mount = await findMount(PROJECTS_DIR)
      const missing = mount?.point === PROJECTS_DIR ? missingOptions(mount) : []
      return missing.length === 0
        ? undefined
        : `Remount ${PROJECTS_DIR} with ${missing.join(', ')}, until the next boot`
    },
    apply: ({ config, run }) => hardenMount(config.PROJECTS_DIR, run)
  },
  'Firewall tables of dead panels': {
    async plan(context) {
      const dead = await listDeadTables(context)
      return dead.length === 0
        ? undefined
        : `Remove the nftables tables ${dead.join(', ')} of panels that no longer exist`
    },
    apply: async (context) => removeDeadTables(await deadTableOptions(context))
  },
  'Expired certificates': {
    async plan(context) {
      // Only a running panel orders them.
      if (!(await isPanelRunning(context))) return undefined
      const count = await withStore(context.env, ({ db }) => countExpired(db, new Date()))
      return count === 0 ? undefined : `Renew ${count} expired certificate${count === 1 ? '' : 's'} now`
    },
    apply: ({ env }) => withStore(env, ({ db }) => retryExpired(db, new Date()))
  }
}

function packagesOf(config: Config): string[] {
  const ours = programsOf(config).filter((program) => program.isOurs(config) && !program.yields)
  return [...new Set([...toolPackages, ...ours.flatMap(({ packages }) => packages)])]
}

/** Of the data directory and its settings file: those that others may read, or own. */
async function listOpen({ DATA_DIR }: Config): Promise<string[]> {
  const uid = process.getuid?.() ?? 0
  const paths = [DATA_DIR, join(DATA_DIR, 'panel.env')].filter((path) => existsSync(path))
  const found = await Promise.all(paths.map(async (path) => ({ path, ...modeOf(await stat(path)) })))
  return found.filter((each) => each.uid !== uid || (each.mode & 0o077) !== 0).map(({ path }) => path)
}

const modeOf = ({ uid, mode }: { uid: number; mode: number }) => ({ uid, mode })

const pidFiles = { '/var/run/docker.pid': 'dockerd', '/var/run/docker/containerd/containerd.pid': 'containerd' }

/** Pid files whose process has ended or is another program: dockerd refuses to start beside them. */
async function listStalePidFiles(): Promise<string[]> {
  const stale: string[] = []
  for (const [path, program] of Object.entries(pidFiles)) {
    const pid = Number((await readIfExists(path)) ?? '')
    if (pid > 0 && !(await isRunning(pid, program))) stale.push(path)
  }
  return stale
}

async function listMissingImages(context: FixContext): Promise<BaseImageKind[]> {
  const engine = engineOf(context)
  const missing: BaseImageKind[] = []
  for (const { kind, reference } of usualBaseImages(context.config, ['node', 'static', 'python', 'php'])) {
    const image = await engine.findImage(reference).catch(() => 'unknown') // An unavailable engine has its own row.
    if (image === undefined) missing.push(kind)
  }
  return missing
}

const deadTableOptions = async ({ config, run }: FixContext) => ({
  run,
  ownTable: (await readIfExists(join(config.DATA_DIR, 'firewall-table'))) ?? '',
  bridgePrefix
})

const listDeadTables = async (context: FixContext): Promise<string[]> =>
  removeDeadTables({ ...(await deadTableOptions(context)), isDryRun: true }).catch(() => []) // Without nft there are none.

const isPanelRunning = async ({ config, run }: FixContext): Promise<boolean> =>
  config.DATABASE_URL !== undefined ||
  (await findEmbeddedPostgres(join(config.DATA_DIR, 'postgres'), run)) !== undefined
