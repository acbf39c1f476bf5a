import { readFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { childStream } from '../process/child-stream.ts'
import { programPath } from '../process/program-path.ts'
import { readLines } from '../process/read-lines.ts'
import { run } from '../process/run.ts'
import { startChild } from '../process/start-child.ts'
import type { NodeConnection } from './node-connection.ts'

/** This machine, without a hop. */
export const localConnection: Omit<NodeConnection, 'relay' | 'relaySocket'> = {
  run,
  start: (argv, { onStderrLine }) =>
    childStream(async () => {
      const child = await startChild(argv, { env: { PATH: programPath }, stdio: 'pipe' })
      readLines(child.stderr!, onStderrLine)
      return child
    }),
  ping: async () => {},
  readFile: (path) => readFile(path, 'utf8'),
  socket: async (path) => path,
  connect: (host, port) => connect({ host, port }),
  close: async () => {}
}
