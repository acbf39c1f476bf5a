import { readFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { run } from '../process/run.ts'
import type { NodeConnection } from './node-connection.ts'

/** This machine, without a hop. */
export const localConnection: NodeConnection = {
  run,
  readFile: (path) => readFile(path, 'utf8'),
  socket: async (path) => path,
  connect: (host, port) => connect({ host, port }),
  close: async () => {}
}
