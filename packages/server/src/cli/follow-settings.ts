import type { Config, VariableName } from '../config.ts'
import { createCoalescer } from '../concurrency/coalescer.ts'
import { messageOf } from '../text/message-of.ts'
import type { Dependencies } from '../dependencies.ts'
import type { Manager } from '../programs/manager.ts'
import { programsOf } from '../programs/list.ts'
import type { PanelContext, Program, ProgramName } from '../programs/program.ts'

interface Options {
  manager: Manager
  context: PanelContext
  /** Installs the packages of programs before their first start; resolves with those that may be started. */
  install(programs: readonly Program[]): Promise<readonly Program[]>
}

/** Programs that this machine runs for the panel whatever the settings say. */
const always: readonly ProgramName[] = ['store', 'containerEngine']

/** Part of the machine that follows settings. */
export interface SettingsFollower {
  /** Applies the current settings. */
  apply(): Promise<void>
}

/** Starts the programs that the settings ask for, stops the others, and hands changed settings to those that run. */
export function createProgramFollower({ manager, context, install }: Options): SettingsFollower {
  const applied = new Map<ProgramName, string>()
  return {
    async apply() {
      const { config } = context
      const wanted = programsOf(config).filter((program) => program.isOurs(config) && !always.includes(program.name))
      const gone = [...applied.keys()].filter((name) => !wanted.some((program) => program.name === name))
      if (gone.length > 0) await manager.stop({ only: gone })
      for (const name of gone) applied.delete(name)
      const added = wanted.filter(({ name }) => !applied.has(name))
      const changed = wanted.filter((program) => {
        const known = applied.get(program.name)
        return known !== undefined && known !== followedValues(program, config)
      })
      for (const program of wanted) applied.set(program.name, followedValues(program, config))
      await Promise.all([
        ...changed.map(({ name }) => manager.reopen(name)),
        install(added).then((installed) => manager.start(installed, context))
      ])
    }
  }
}

const followedValues = ({ follows = [] }: Program, config: Config): string =>
  JSON.stringify(follows.map((name) => config[name]))

/** A service of the panel itself that runs while `isWanted`, and starts again when one of these variables changes. */
export function createServiceFollower(
  { config }: Pick<Dependencies, 'config'>,
  follows: readonly VariableName[],
  isWanted: () => boolean,
  start: () => Promise<{ stop(): Promise<void> }>
): SettingsFollower & { stop(): Promise<void> } {
  let running: { values: string; stop(): Promise<void> } | undefined
  const stop = async () => {
    const last = running
    running = undefined
    await last?.stop()
  }
  return {
    async apply() {
      const values = JSON.stringify(follows.map((name) => config[name]))
      if (running && (!isWanted() || running.values !== values)) await stop()
      if (!running && isWanted()) running = { values, ...(await start()) }
    },
    stop
  }
}

/** Applies all of them after each change of the settings, one change at a time. */
export function followSettings(
  { settings, logger }: Pick<Dependencies, 'settings' | 'logger'>,
  followers: readonly SettingsFollower[]
): { stop(): Promise<void> } {
  const coalesced = createCoalescer()
  const applyAll = async () => {
    for (const follower of followers)
      await follower
        .apply()
        .catch((error: unknown) => logger.error({ error: messageOf(error) }, 'a changed setting was not applied'))
  }
  let last = Promise.resolve()
  const end = settings.onChange(() => {
    last = coalesced(settings, 'apply', applyAll)
  })
  return {
    async stop() {
      end()
      await last
    }
  }
}
