import { createKeyedMutex } from '../../concurrency/keyed-mutex.ts'
import type { HostContext } from './host-context.ts'
import type { HostHelper } from './host-helper.ts'
import { callHelper } from './sudo.ts'
import { runVerb, type VerbName, verbs } from './verbs.ts'

interface HostHelperOptions extends HostContext {
  /** Where sudo's program takes what root works on from, when the panel is not root. Default: see deploy/sudoers. */
  helperConfig?: string
}

/**
 * The verbs in this process when it is root, else by sudo. One at a time for the directories of an account, and one of those that change
 * accounts: the files of the system behind them have one writer anyway. In this process; between processes by the locks `sftp-account` and
 * `project-directories` of the store.
 */
export function createHostHelper({ helperConfig, ...context }: HostHelperOptions): HostHelper {
  const isRoot = process.getuid?.() === 0
  const oneAtATime = createKeyedMutex<number | 'accounts'>()
  const call =
    (name: VerbName) =>
    (...args: unknown[]) =>
      oneAtATime(typeof args[0] === 'number' ? args[0] : 'accounts', () =>
        isRoot ? runVerb(context, name, args) : callHelper(context.run, name, args, helperConfig)
      )
  return Object.fromEntries(
    (Object.keys(verbs) as VerbName[]).map((name) => [name, call(name)])
  ) as unknown as HostHelper
}
