import { createKeyedMutex } from '../../concurrency/keyed-mutex.ts'
import { lazy } from '../../concurrency/lazy.ts'
import { AdapterError } from '../adapter-error.ts'
import type { NodeConnection } from '../node-connection/node-connection.ts'
import { ProcessError } from '../process/process.ts'
import type { HostContext } from './host-context.ts'
import type { HostHelper } from './host-helper.ts'
import { askHelper, helperProgram } from './sudo.ts'
import { type VerbName, verbs } from './verbs.ts'

interface RemoteHelperOptions {
  connection: Pick<NodeConnection, 'run'>
  context: Omit<HostContext, 'run'>
  /** Of the helper on the machine; written before its first call. */
  configPath: string
}

// sshd reads the keys of accounts below the directory of the file.
const prepareScript =
  'umask 022; mkdir -p -m 711 -- "${1%/*}" && mkdir -p -m 700 -- "$2" && cat >"$1.new" && mv -f -- "$1.new" "$1"'

/** Runs the verbs with the helper that the panel's package installed on the machine. Serialized as on this machine. */
export function createRemoteHostHelper({ connection, context, configPath }: RemoteHelperOptions): HostHelper {
  const serialized = createKeyedMutex<number | 'accounts'>()
  const prepared = lazy(() =>
    connection.run(['sh', '-c', prepareScript, 'sh', configPath, context.projectsDirectory], {
      timeoutMs: 15_000,
      input: JSON.stringify(context)
    })
  )
  const ask = async (name: VerbName, args: unknown[]) => {
    try {
      await prepared()
      return await askHelper(connection.run, helperProgram(configPath), name, args)
    } catch (error) {
      if (!(error instanceof ProcessError)) throw error
      const reason = error.stderr.trim().split('\n').at(-1) || error.message
      throw new AdapterError('node-unavailable', 'The helper of the panel does not run on the machine', {
        cause: error,
        reason
      })
    }
  }
  const call =
    (name: VerbName) =>
    (...args: unknown[]) =>
      serialized(typeof args[0] === 'number' ? args[0] : 'accounts', () => ask(name, args))
  return Object.fromEntries(
    (Object.keys(verbs) as VerbName[]).map((name) => [name, call(name)])
  ) as unknown as HostHelper
}
