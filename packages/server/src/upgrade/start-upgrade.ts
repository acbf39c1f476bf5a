import { mkdirSync, watch } from 'node:fs'
import { realpath, rename, rm, symlink } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'
import { run } from '../infra/process/run.ts'
import { createLogger } from '../process/logger.ts'
import { storeDirectory } from '../process/paths.ts'
import { lockState } from '../process/state-lock.ts'
import { becomePanel, endLike, passSignals } from './replace-process.ts'
import { revertUpgrade, runUpgrade, type UpgradeEffects } from './run-upgrade.ts'
import { copyStore, removeStoreCopies, restoreStore } from './store-copy.ts'
import { isSupervised, startSupervised, type SupervisedPanel } from './supervised.ts'
import { startAction, type StartAction, successorOf } from './upgrade.machine.ts'
import { moveUpgrade, readUpgrade, upgradeDirectory, type UpgradeState } from './upgrade-state.ts'

interface Options {
  dataDirectory: string
  /** Folder of this version. */
  root: string
  args: readonly string[]
  env: Readonly<Record<string, string | undefined>>
  step(text: string): void
  /** The new version runs from here on, as a child of this process. */
  onDone(): void
}

/** A version that was tried ends within seconds after its parent. */
const orphanLimitMs = 60_000
const keptMs = 7 * 24 * 60 * 60_000

/**
 * What an upgrade leaves to the start of `./panel up`: try the new version, restore the store after an interruption, or
 * continue as the version that replaced this one. Resolves when this version shall run.
 */
export async function settleUpgrade(options: Options): Promise<void> {
  const { dataDirectory, env, root } = options
  const state = await readUpgrade(dataDirectory)
  if (state) await actions[startAction(state, root, isSupervised(env))](state, options)
}

const actions: Record<StartAction, (state: UpgradeState, options: Options) => Promise<void>> = {
  async run(state, { dataDirectory, step }) {
    if (state.phase === 'trying') await convertStore(state, { dataDirectory, step })
    if (state.endedAt !== undefined && Date.now() - Date.parse(state.endedAt) > keptMs)
      await removeStoreCopies(dataDirectory)
  },
  try: tryUpgrade,
  async revert(state, options) {
    options.step(`The upgrade to ${state.to.version} was interrupted. Restoring the database`)
    await revertUpgrade(effectsOf(state, options), state.phase, 'The upgrade was interrupted.')
  },
  'hand-over': handOver,
  async refuse({ from, to }) {
    throw new Error(`An upgrade to ${to.version} was interrupted. Start the panel with ${join(from.directory, 'panel')} up, which restores version ${from.version}.`) // oxfmt-ignore
  }
}

/** In the version that is tried. Loaded only there, because it needs most of the panel. */
async function convertStore({ from }: UpgradeState, { dataDirectory, step }: Pick<Options, 'dataDirectory' | 'step'>) {
  const { moveStoreToOwnMajor } = await import('./store-major.ts')
  await moveStoreToOwnMajor({
    store: storeDirectory({ DATA_DIR: dataDirectory }),
    work: upgradeDirectory(dataDirectory),
    previousRoot: from.directory,
    run,
    logger: createLogger('warn'),
    step
  })
}

/** Every command of a version that was replaced runs with the one that replaced it. */
export async function followUpgrade(options: Pick<Options, 'dataDirectory' | 'root' | 'args' | 'env'>): Promise<void> {
  const state = await readUpgrade(options.dataDirectory)
  if (startAction(state, options.root, false) === 'hand-over') await handOver(state!, options)
}

async function handOver(
  state: UpgradeState,
  { args, env, root }: Pick<Options, 'args' | 'env' | 'root'>
): Promise<void> {
  const { version, directory } = successorOf(state, root)
  const isThere = await realpath(directory).catch(() => undefined)
  if (isThere === undefined)
    throw new Error(`Version ${version} replaced this one, and its folder ${directory} is missing. This version cannot use its database. Install version ${version} or a newer one.`) // oxfmt-ignore
  await switchLinks(root, directory)
  await becomePanel(directory, args, env)
}

async function tryUpgrade(state: UpgradeState, options: Options): Promise<void> {
  const { root, args, env, step } = options
  step(`Upgrading to version ${state.to.version}: copying the database`)
  let panel: SupervisedPanel | undefined
  let isStopping = () => false
  const isDone = await runUpgrade({
    ...effectsOf(state, options),
    async tryVersion() {
      step(`Starting version ${state.to.version}`)
      panel = await startSupervised(state.to.directory, args, env)
      isStopping = passSignals(panel)
      await panel.serving()
    }
  })
  if (isDone) {
    await switchLinks(root, state.to.directory)
    step(`Version ${state.to.version} runs`)
    options.onDone()
    // This process stays as the parent, because a supervisor such as systemd started it.
    await endLike(panel!)
  }
  if (isStopping()) process.exit(0)
  step(
    `The upgrade to ${state.to.version} failed. Version ${state.from.version} runs again, with its database as it was`
  )
}

function effectsOf(state: UpgradeState, { dataDirectory }: Options): Omit<UpgradeEffects, 'tryVersion'> {
  let current = state
  const alone = async (work: () => Promise<void>) => {
    const lock = await lockState(dataDirectory, orphanLimitMs)
    await work().finally(() => lock.release())
  }
  return {
    copyStore: () => alone(() => copyStore(dataDirectory, run)),
    restoreStore: () => alone(() => restoreStore(dataDirectory, run)),
    async move(phase, problem) {
      const endedAt = phase === 'done' || phase === 'reverted' ? new Date().toISOString() : undefined
      current = await moveUpgrade(dataDirectory, current, phase, {
        ...(problem === undefined ? {} : { problem }),
        ...(endedAt === undefined ? {} : { endedAt })
      })
    }
  }
}

/** The link `current` of the Debian package, or one beside an unpacked archive. */
async function switchLinks(from: string, to: string): Promise<void> {
  for (const directory of [dirname(from), dirname(dirname(from))]) {
    const link = join(directory, 'current')
    if ((await realpath(link).catch(() => undefined)) !== from || link === from) continue
    await rm(`${link}.new`, { force: true })
    await symlink(relative(directory, to), `${link}.new`)
    await rename(`${link}.new`, link)
  }
}

/** Calls `onRequest` once an upgrade from this version is requested. */
export function watchUpgradeRequests(
  { dataDirectory, root }: Pick<Options, 'dataDirectory' | 'root'>,
  { signal, onRequest, onError }: { signal: AbortSignal; onRequest: () => void; onError: (error: unknown) => void }
): void {
  const directory = upgradeDirectory(dataDirectory)
  mkdirSync(directory, { recursive: true, mode: 0o700 })
  let isRequested = false
  const check = async () => {
    const isNow = startAction(await readUpgrade(dataDirectory), root, false) === 'try'
    if (!isNow || isRequested) return
    isRequested = true
    onRequest()
  }
  const watcher = watch(directory, { signal, persistent: false }, () => void check().catch(onError))
  watcher.on('error', onError)
  void check().catch(onError)
}
