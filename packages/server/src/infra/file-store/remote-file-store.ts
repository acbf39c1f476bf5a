import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { finished } from 'node:stream/promises'
import { fileURLToPath } from 'node:url'
import { AdapterError } from '../adapter-error.ts'
import type { NodeConnection } from '../node-connection/node-connection.ts'
import { adapterErrors } from '../verb-socket/adapter-errors.ts'
import { createVerbClient } from '../verb-socket/verb-client.ts'
import type { FileStore, FileTree, Unpacked } from './file-store.ts'
import { heartbeatMs } from './file-store-verbs.ts'
import { createVerbTree, treeVerbs } from './tree-verbs.ts'

interface RemoteFileStoreOptions {
  connection: Pick<NodeConnection, 'socket' | 'start'>
  /** On the machine, on the file system of the trees. */
  stagingDirectory: string
  /** Errors of the program on the machine that are not the caller's. */
  onProblem: (line: string) => void
}

const answerMs = 5 * 60_000

/**
 * The files of another machine, by a program of the panel's package there that all calls share: same place, same version
 * as on this machine. It is started by the first call, and again after it or the connection was lost. Rejects with
 * AdapterError node-unavailable without it; work that it interrupts has no effect.
 */
export function createRemoteFileStore({ connection, stagingDirectory, onProblem }: RemoteFileStoreOptions): FileStore {
  let server: Promise<string> | undefined

  async function start(onEnd: () => void): Promise<string> {
    let problem: string | undefined
    const onStderrLine = (line: string) => {
      problem = line
      onProblem(line)
    }
    const program = fileURLToPath(new URL('./file-server.js', import.meta.url))
    const stream = connection.start([process.execPath, program, stagingDirectory], { onStderrLine })
    const heartbeat = setInterval(() => stream.write('\n'), heartbeatMs).unref()
    const ended = finished(stream, { writable: false }).finally(() => {
      clearInterval(heartbeat)
      stream.destroy()
      onEnd()
    })
    ended.catch(() => {}) // Reported by the race, or the program had started.
    try {
      const [path] = await Promise.race([once(createInterface({ input: stream }), 'line'), ended.then(() => [])])
      if (path === undefined) throw unavailable(undefined, problem)
      return await connection.socket(String(path))
    } catch (error) {
      stream.destroy()
      throw error instanceof AdapterError ? error : unavailable(error, problem)
    }
  }

  function socketPath(): Promise<string> {
    if (server) return server
    const forget = () => {
      if (server === attempt) server = undefined
    }
    const attempt: Promise<string> = start(forget)
    server = attempt
    attempt.catch(forget)
    return attempt
  }

  const client = createVerbClient({ path: socketPath, errors: adapterErrors, unavailable })
  const bounded = { timeoutMs: answerMs }
  return {
    tree: (tree) => ({
      ...createVerbTree({
        ask: (name, args, options) =>
          client.ask(`files.${name}`, [tree, ...args], { ...options, ...(treeVerbs[name].isUnbounded ? {} : bounded) }),
        open: (path) => client.converse('files.open', [tree, path], bounded)
      }),
      list: (...args) => client.ask('files.list', [tree, ...args], bounded) as ReturnType<FileTree['list']>
    }),
    capture: (from, directory, { signal, ...options }) =>
      client.ask('files.capture', [from, directory, options], { signal }) as ReturnType<FileStore['capture']>,
    unpack: (...args) => client.ask('files.unpack', args) as Promise<Unpacked>,
    sweep: async () => void (await client.ask('files.sweep', [], bounded))
  }
}

const unavailable = (cause: unknown, reason?: string): AdapterError =>
  new AdapterError('node-unavailable', 'The files of the machine cannot be reached', { cause, reason })
