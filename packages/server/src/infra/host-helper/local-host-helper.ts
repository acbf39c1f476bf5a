import { createKeyedMutex } from '../../concurrency/keyed-mutex.ts'
import type { HostContext } from './host-context.ts'
import type { HostHelper } from './host-helper.ts'
import { callHelper } from './sudo.ts'
import { runVerb, type VerbName, verbs } from './verbs.ts'

interface HostHelperOptions extends HostContext {
  /** Root's configuration file for the sudo helper. Default: see deploy/sudoers. */
  helperConfig?: string
}

/**
 * Runs the verbs in this process if it is root, otherwise through sudo. Serialized per account for directories and
 * globally for account changes, which write shared system files. Between processes the store's locks `sftp-account` and
 * `project-directories` do this.
 */
export function createHostHelper({ helperConfig, ...context }: HostHelperOptions): HostHelper {
  const isRoot = process.getuid?.() === 0
  const serialized = createKeyedMutex<number | 'accounts'>()
  const call =
    (name: VerbName) =>
    (...args: unknown[]) =>
      serialized(typeof args[0] === 'number' ? args[0] : 'accounts', () =>
        isRoot ? runVerb(context, name, args) : callHelper(context.run, name, args, helperConfig)
      )
  return Object.fromEntries(
    (Object.keys(verbs) as VerbName[]).map((name) => [name, call(name)])
  ) as unknown as HostHelper
}
